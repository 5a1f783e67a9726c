#!/bin/sh
# Makes the secrets that compose.yaml hands to its services, where they are not there yet.
set -eu
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
for name in admin-password worker-token viewer-token metrics-token; do
  [ -s "$folder/$name" ] || openssl rand -hex 32 >"$folder/$name"
done
[ -s "$folder/secrets-key" ] || openssl rand -base64 32 >"$folder/secrets-key"
# The folder keeps other users out; the users of the containers read the files that are mounted.
chmod 644 "$folder"/*
