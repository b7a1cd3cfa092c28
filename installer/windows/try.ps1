# Run the setup program silently, check the file type, try the program, uninstall it silently, and check that nothing
# remains.
#   installer/windows/try.ps1 out/bundle/dist/tdapp-0.1.0-setup.exe
param([Parameter(Mandatory)][string]$Setup)
$ErrorActionPreference = "Stop"
$PSNativeCommandUseErrorActionPreference = $true
$folder = "$env:LOCALAPPDATA\Programs\tdapp"
$classes = "HKCU:\Software\Classes"
function Assert-That($condition, $name) { if (-not $condition) { throw "failed: $name" } else { Write-Output "passed: $name" } }

Start-Process -Wait -FilePath (Resolve-Path $Setup) -ArgumentList "/S"
Assert-That (Test-Path "$folder\tdapp.exe") "installed"
Assert-That ((Get-Item "$classes\.tdapp").GetValue("") -eq "tdapp.tournament") "file type"
$command = (Get-Item "$classes\tdapp.tournament\shell\open\command").GetValue("")
Assert-That ($command -eq "`"$folder\tdapp.exe`" `"%1`"") "command of the file type"
$env:QT_QPA_PLATFORM = "offscreen"
& "$folder\tdapp-cli.exe" --self-test
& "$folder\tdapp-cli.exe" demo "$env:TEMP\try.tdapp"
& "$folder\tdapp-cli.exe" standings "$env:TEMP\try.tdapp"
$window = Start-Process -PassThru -FilePath "$folder\tdapp.exe" -ArgumentList "$env:TEMP\try.tdapp"
Start-Sleep 20
Assert-That (-not $window.HasExited) "window stays open"
$window.Kill(); $window.WaitForExit()

Start-Process -Wait -FilePath "$folder\uninstall.exe" -ArgumentList "/S"
for ($seconds = 0; (Test-Path $folder) -and $seconds -lt 60; $seconds++) { Start-Sleep 1 } # it runs in the background
Assert-That (-not (Test-Path $folder)) "uninstalled"
Assert-That (-not (Test-Path "$classes\.tdapp")) "file type removed"
Assert-That (-not (Test-Path "HKCU:\Software\Microsoft\Windows\CurrentVersion\Uninstall\tdapp")) "registry entry removed"
Assert-That (Test-Path "$env:TEMP\try.tdapp") "tournament not removed"
