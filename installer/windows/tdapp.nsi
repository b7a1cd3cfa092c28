; The setup program for Windows, for one user, without administrator rights. `python3 -m installer.bundle setup` compiles
; it and defines VERSION, SOURCE (the folder), PROGRAM (the output file), ICON, LICENCE and KILOBYTES.
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
Name "tdapp"
OutFile "${PROGRAM}"
InstallDir "$LOCALAPPDATA\Programs\tdapp"
InstallDirRegKey HKCU "Software\tdapp" "Folder"
Icon "${ICON}"
UninstallIcon "${ICON}"
BrandingText "tdapp ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "tdapp"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Runs Scrabble tournaments"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\tdapp"
!define CLASSES "Software\Classes"

Page license
LicenseData "${LICENCE}"
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Dutch.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Norwegian.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\German.nlf"

LangString OPEN ${LANG_ENGLISH} "tdapp is open. Close it, then try again."
LangString OPEN ${LANG_DUTCH} "tdapp is nog open. Sluit het programma en probeer het opnieuw."
LangString OPEN ${LANG_NORWEGIAN} "tdapp er åpent. Lukk programmet og prøv igjen."
LangString OPEN ${LANG_GERMAN} "tdapp ist noch offen. Schließen Sie es und versuchen Sie es erneut."
LangString KIND ${LANG_ENGLISH} "Scrabble tournament"
LangString KIND ${LANG_DUTCH} "Scrabbletoernooi"
LangString KIND ${LANG_NORWEGIAN} "Scrabbleturnering"
LangString KIND ${LANG_GERMAN} "Scrabble-Turnier"

; The file of a running program cannot be opened for writing.
!macro CLOSED UN
Function ${UN}IsClosed
  IfFileExists "$INSTDIR\tdapp.exe" 0 closed
  retry:
  ClearErrors
  FileOpen $0 "$INSTDIR\tdapp.exe" a
  IfErrors 0 done
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(OPEN)" /SD IDCANCEL IDRETRY retry
  Abort
  done:
  FileClose $0
  closed:
FunctionEnd
!macroend
!insertmacro CLOSED ""
!insertmacro CLOSED "un."

Section
  Call IsClosed
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\tdapp.lnk" "$INSTDIR\tdapp.exe"
  WriteRegStr HKCU "Software\tdapp" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${CLASSES}\.tdapp" "" "tdapp.tournament"
  WriteRegStr HKCU "${CLASSES}\tdapp.tournament" "" "$(KIND)"
  WriteRegStr HKCU "${CLASSES}\tdapp.tournament\DefaultIcon" "" "$INSTDIR\tdapp.exe,0"
  WriteRegStr HKCU "${CLASSES}\tdapp.tournament\shell\open\command" "" '"$INSTDIR\tdapp.exe" "%1"'
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "tdapp"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\tdapp.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

; Tournaments, word lists and settings belong to the user and stay.
Section Uninstall
  Call un.IsClosed
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\tdapp.exe"
  Delete "$INSTDIR\tdapp-cli.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\tdapp.lnk"
  DeleteRegKey HKCU "Software\tdapp"
  DeleteRegKey HKCU "${CLASSES}\.tdapp"
  DeleteRegKey HKCU "${CLASSES}\tdapp.tournament"
  DeleteRegKey HKCU "${UNINSTALL}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
