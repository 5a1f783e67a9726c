@rem The scripts of package.json say "exec node ...", so that a signal to npm reaches node and no shell in between.
@rem cmd.exe has no exec; it finds this one.
@%*
