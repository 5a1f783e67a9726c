@"%~dp0..\node\node.exe" --max-semi-space-size=4 --v8-pool-size=1 --no-parallel-scavenge "%~dp0..\server\out\main\cli.js" %*
