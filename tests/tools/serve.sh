#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command heft serve: wrong options and what is said about them, tokens that do not leak, signals, a port in use, pages, TLS.
# usage: serve.sh <heft> <folder of scenes>
set -eu
heft=$1 scenes=$2
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
"$heft" serve --help | grep -q -- --token-file || { echo "NOT ok: no help"; exit 1; }
"$heft" serve no_such_file 2>"$work/err" || true
grep -q "without libwebsockets" "$work/err" && { echo "skipped: built without libwebsockets"; exit 77; }
bad=0
complain() { echo "NOT ok: $*"; bad=1; }
# refuse <exit code> <words of the message> <options>...
refuse() {
  code=$1 words=$2
  shift 2
  got=0
  timeout 60 "$heft" serve "$scenes/slope.xml" --seconds 1 "$@" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" = "$code" ] || complain "exit code $got instead of $code: $*"
  grep -qF -- "$words" "$work/err" || complain "no '$words' in: $(cat "$work/err")"
}
# begin <options>...: starts a server, waits for its address, and sets url
begin() {
  : >"$work/out"
  "$heft" serve "$scenes/slope.xml" --listen 127.0.0.1:0 "$@" >"$work/out" 2>"$work/err" &
  server=$!
  for _ in $(seq 600); do
    grep -q "Ctrl-C" "$work/out" && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
  done
  url=$(sed -n 's/^  \(http[^#]*\)$/\1/p' "$work/out" | head -n 1)
  [ -n "$url" ] || complain "no address: $(cat "$work/out" "$work/err")"
}
# end <signal>: the server ends cleanly
end() {
  kill -"$1" "$server"
  wait "$server" || complain "exit code $? after SIG$1"
  server=
  grep -q "steps; " "$work/out" || complain "no summary after SIG$1"
}

refuse 2 "expected ADDRESS:PORT" --listen 127.0.0.1
refuse 2 "expected an IP address" --listen example.org:80
refuse 2 "expected ADDRESS:PORT" --listen 127.0.0.1:99999
refuse 2 "did you mean 'pull'" --allow pul
refuse 2 "expected an origin" --origin example.org
refuse 2 "did you mean '--listen'" --lisen 1
refuse 2 "only --shared or --device" --mode attach
refuse 2 "TLS needs both files" --cert x.pem
refuse 2 "--insecure" --users --listen 0.0.0.0:0
refuse 1 "does not have the address" --listen 198.51.100.77:8765
echo "0123456789abcdef" >"$work/token"
chmod 644 "$work/token"
refuse 2 "chmod 600" --token-file "$work/token"
echo "short" >"$work/short" && chmod 600 "$work/short"
refuse 2 "16 to 128" --token-file "$work/short"
refuse 2 "cannot be read" --token-file "$work/none"
HEFT_SERVE_TOKEN="with blanks in it, so it is wrong" refuse 2 "without blanks"
unset HEFT_SERVE_TOKEN

chmod 600 "$work/token"
begin --token-file "$work/token"
grep -q "0123456789abcdef" "$work/out" && complain "a token that was given is printed"
port=${url##*:}
refuse 1 "in use by another program" --listen "127.0.0.1:${port%/}"
end INT

# The token of the environment is not handed on.
HEFT_SERVE_TOKEN=0123456789abcdef begin
tr '\0' '\n' <"/proc/$server/cmdline" | grep -q 0123456789abcdef && complain "the token is in the command line"
grep -q "Users add #token" "$work/out" || complain "users are not mentioned"
end TERM

begin --users --allow pull,reset
grep -q "act (pull, reset)" "$work/out" || complain "rights are not named"
grep -Eq "#token=[0-9a-f]{32}$" "$work/out" || complain "no token is printed"
end INT

# A reader that leaves: writing to it does not end the server.
("$heft" serve "$scenes/slope.xml" --listen 127.0.0.1:0 --seconds 0.5; echo $? >"$work/code") | true
[ "$(cat "$work/code")" = 0 ] || complain "exit code $(cat "$work/code") after the pipe was closed"

if command -v curl >/dev/null; then
  mkdir -p "$work/page/assets"
  echo "<p>hello</p>" >"$work/page/index.html"
  echo "1" >"$work/page/assets/a.wasm"
  echo "secret" >"$work/secret.txt"
  begin --page "$work/page"
  curl -s "${url}?serve" | grep -q hello || complain "the page is not served"
  curl -sI "$url" | grep -qi "^location: ?serve" || complain "the address does not lead to ?serve"
  curl -sI "${url}assets/a.wasm" | grep -qi "^content-type: application/wasm" || complain "wrong type of wasm"
  for path in ../secret.txt %2e%2e/secret.txt assets/..%2f..%2fsecret.txt .git/config assets; do
    got=$(curl -s --path-as-is -o "$work/got" -w '%{http_code}' "$url$path")
    [ "$got" = 404 ] || [ "$got" = 403 ] || complain "$path: $got"
    grep -q secret "$work/got" && complain "$path reaches a file outside"
  done
  got=$(curl -s -o /dev/null -w '%{http_code}' -H 'Host: evil.example' "${url}?serve")
  [ "$got" = 403 ] || complain "another host: $got"
  got=$(curl -s -o /dev/null -w '%{http_code}' -X POST -d 'x=1' "${url}?serve")
  [ "$got" != 200 ] || complain "POST is served"
  end INT
fi
if command -v curl >/dev/null && command -v openssl >/dev/null; then
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/key.pem" -out "$work/cert.pem" -days 2 -subj /CN=localhost \
    -addext subjectAltName=IP:127.0.0.1 >/dev/null 2>&1
  begin --cert "$work/cert.pem" --cert-key "$work/key.pem" --page "$work/page"
  case $url in https://*) ;; *) complain "no https: $url" ;; esac
  curl -s --cacert "$work/cert.pem" "${url}?serve" | grep -q hello || complain "the page is not served by TLS"
  end INT
  refuse 1 "certificate" --listen 127.0.0.1:0 --cert "$work/token" --cert-key "$work/token"
fi
[ $bad -eq 0 ] && echo "serve: ok"
exit $bad
