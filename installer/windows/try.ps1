# Installs the setup program silently, opens the kind of file, tries the program, uninstalls it silently, and looks for
# what was left behind.
#   installer/windows/try.ps1 out/bundle/dist/tdapp-0.1.0-setup.exe
param([Parameter(Mandatory)][string]$Setup)
$ErrorActionPreference = "Stop"
$PSNativeCommandUseErrorActionPreference = $true
$folder = "$env:LOCALAPPDATA\Programs\tdapp"
$classes = "HKCU:\Software\Classes"
function Must($holds, $what) { if (-not $holds) { throw "failed: $what" } else { Write-Output "well: $what" } }

Start-Process -Wait -FilePath (Resolve-Path $Setup) -ArgumentList "/S"
Must (Test-Path "$folder\tdapp.exe") "installed"
Must ((Get-Item "$classes\.tdapp").GetValue("") -eq "tdapp.tournament") "the kind of file"
$command = (Get-Item "$classes\tdapp.tournament\shell\open\command").GetValue("")
Must ($command -eq "`"$folder\tdapp.exe`" `"%1`"") "what opens it"
$env:QT_QPA_PLATFORM = "offscreen"
& "$folder\tdapp-cli.exe" --self-test
& "$folder\tdapp-cli.exe" demo "$env:TEMP\try.tdapp"
& "$folder\tdapp-cli.exe" standings "$env:TEMP\try.tdapp"
$window = Start-Process -PassThru -FilePath "$folder\tdapp.exe" -ArgumentList "$env:TEMP\try.tdapp"
Start-Sleep 20
Must (-not $window.HasExited) "the window stays open"
$window.Kill(); $window.WaitForExit()

Start-Process -Wait -FilePath "$folder\uninstall.exe" -ArgumentList "/S"
for ($waited = 0; (Test-Path $folder) -and $waited -lt 60; $waited++) { Start-Sleep 1 } # it goes on by itself
Must (-not (Test-Path $folder)) "uninstalled"
Must (-not (Test-Path "$classes\.tdapp")) "no kind of file is left"
Must (-not (Test-Path "HKCU:\Software\Microsoft\Windows\CurrentVersion\Uninstall\tdapp")) "no entry is left"
Must (Test-Path "$env:TEMP\try.tdapp") "the tournament stayed"
