@"%~dp0..\node\node.exe" --max-semi-space-size=16 "%~dp0..\server\out\main\cli.js" %*
