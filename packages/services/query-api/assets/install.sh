#!/bin/sh
# Installs the Tidewatch agent on this machine, or updates it:
#   curl -fsSL https://monitor.example/install.sh | TIDEWATCH_API_KEY=tw_… sh -s -- --url https://monitor.example
# The key is read from TIDEWATCH_API_KEY or asked for; it is never part of an address or an argument.
# What is downloaded is compared with the SHA-256 that the same address names. Root's rights are used by sudo where needed.
set -eu
umask 022

usage() {
  cat << 'TEXT'
Installs the Tidewatch agent on this machine, or updates it.

  sh install.sh --url https://monitor.example

  --url URL     the address of Tidewatch; the key comes from TIDEWATCH_API_KEY, or is asked for
  --host NAME   the name to report; that of the machine by default
  --help        print this text
TEXT
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail 'root is needed to install the agent, and sudo is not installed: run this as root'
  fi
}

# Arguments -----------------------------------------------------------------------------------------------------------

url='' host=''
while [ $# -gt 0 ]; do
  case $1 in
    --url | --host)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in --url) url=${2%/} ;; --host) host=$2 ;; esac
      shift 2
      ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) fail "unknown argument $1; allowed are --url URL, --host NAME and --help" ;;
  esac
done

case $url in
  http://?* | https://?*) ;;
  *) fail '--url must be the http or https address of Tidewatch, such as https://monitor.example' ;;
esac
case $url$host in
  *[!A-Za-z0-9:/._~%@+\[\]-]*) fail '--url and --host may have letters, digits and : / . _ ~ % @ + [ ] - only' ;;
esac

# What is installed ---------------------------------------------------------------------------------------------------

[ "$(uname -s)" = Linux ] || fail "this is $(uname -s); this script installs the agent on Linux alone; docs/agent.md says what there is for Windows and macOS"
case $(uname -m) in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "the processor is $(uname -m); the agent is built for x86_64 and aarch64" ;;
esac
if ls /lib/ld-musl-* > /dev/null 2>&1 && ! ls /lib/*/libc.so.6 /lib64/libc.so.6 > /dev/null 2>&1; then
  fail 'this system has musl; the agent needs glibc'
fi
if command -v dpkg > /dev/null; then kind=deb; else kind=tar.xz; fi
name=tidewatch-agent-linux-$processor.$kind

if command -v curl > /dev/null; then
  fetch() { curl --fail --silent --show-error --location --max-time 600 --output "$2" "$1"; }
elif command -v wget > /dev/null; then
  fetch() { wget --quiet --timeout=60 --output-document="$2" "$1"; }
else
  fail 'neither curl nor wget is installed'
fi
command -v sha256sum > /dev/null || fail 'sha256sum is not installed'

# The key -------------------------------------------------------------------------------------------------------------

config=/etc/tidewatch-agent/config.yaml
key_file=/etc/tidewatch-agent/key
key=${TIDEWATCH_API_KEY:-}
unset TIDEWATCH_API_KEY
if [ -z "$key" ] && ! as_root test -s "$key_file"; then
  # Standard input is this script where it comes from curl.
  [ -r /dev/tty ] || fail 'there is no key: set TIDEWATCH_API_KEY'
  printf 'API key with the scope ingest: ' > /dev/tty
  stty -echo < /dev/tty
  IFS= read -r key < /dev/tty || true
  stty echo < /dev/tty
  echo > /dev/tty
  [ -n "$key" ] || fail 'there is no key: set TIDEWATCH_API_KEY, or type it'
fi

# Download ------------------------------------------------------------------------------------------------------------

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
echo "Downloading $name from $url …"
fetch "$url/downloads/SHA256SUMS" "$work/SHA256SUMS" ||
  fail "$url serves no packages of the agent: run \"npm run build:agent\" where Tidewatch runs"
grep " $name\$" "$work/SHA256SUMS" > "$work/expected" || fail "$url serves no $name"
fetch "$url/downloads/$name" "$work/$name" || fail "$url/downloads/$name could not be downloaded"
(cd "$work" && sha256sum --check --status expected) ||
  fail "$name is not what $url/downloads/SHA256SUMS names: nothing was installed"

# Installation --------------------------------------------------------------------------------------------------------

echo 'Installing the agent …'
if [ "$kind" = deb ]; then
  as_root dpkg --install --force-confold "$work/$name" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail 'dpkg could not install the package: see above'
  }
else
  command -v xz > /dev/null || fail 'xz is not installed'
  (cd "$work" && tar -xJf "$name")
  unpacked=$work/tidewatch-agent-linux-$processor
  if ! getent passwd tidewatch-agent > /dev/null; then
    as_root useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /sbin/nologin tidewatch-agent
  fi
  as_root install -D -m 755 "$unpacked/tidewatch-agent" /usr/bin/tidewatch-agent.new
  as_root mv -f /usr/bin/tidewatch-agent.new /usr/bin/tidewatch-agent
  # Otherwise an update that was being tried would be rolled back.
  as_root rm -f /usr/bin/tidewatch-agent.pending /usr/bin/tidewatch-agent.refused
  for unit in "$unpacked"/*.service "$unpacked"/*.path "$unpacked"/*.timer; do
    # A tarball of an earlier build has fewer units.
    [ -e "$unit" ] || continue
    as_root install -D -m 644 "$unit" "/etc/systemd/system/${unit##*/}"
  done
  as_root install -D -m 644 "$unpacked/tidewatch-agent.8" /usr/local/share/man/man8/tidewatch-agent.8
  as_root test -e "$config" || as_root install -D -m 644 "$unpacked/config.yaml" "$config"
fi

as_root sed -i "s|^url:.*|url: $url|" "$config"
if [ -n "$host" ]; then as_root sed -i "s|^#* *host:.*|host: \"$host\"|" "$config"; fi
if [ -n "$key" ]; then
  # By standard input, since others can see arguments.
  printf '%s\n' "$key" | as_root sh -c 'umask 077 && cat > "$1.new" && mv -f "$1.new" "$1"' sh "$key_file"
fi

as_root tidewatch-agent check --config "$config" --key-file "$key_file" ||
  fail "the agent is installed, but cannot report yet: see above, and $config"

if [ -d /run/systemd/system ]; then
  as_root systemctl daemon-reload
  as_root systemctl enable --quiet tidewatch-agent.service
  as_root systemctl stop tidewatch-agent.service
  # The agent writes this file once a payload was accepted; a unit that ends at once is active for a moment as well.
  sent=/var/lib/tidewatch-agent/buffer/sent-version
  as_root rm -f "$sent"
  as_root systemctl start tidewatch-agent.service
  seconds=0
  until as_root test -e "$sent"; do
    [ "$seconds" -lt 30 ] ||
      fail 'the agent is installed, but has not reported within 30 seconds: see journalctl --unit tidewatch-agent'
    sleep 1
    seconds=$((seconds + 1))
  done
  echo 'The agent runs and reports. Its log: journalctl --unit tidewatch-agent'
else
  echo 'The agent is installed. There is no systemd here, so start it by what this system has:'
  echo "  tidewatch-agent --config $config --key-file $key_file"
fi
