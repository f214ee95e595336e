#!/usr/bin/env bash
# Hands certificates for the gateway to the cluster. `--help` says how. The certificates themselves, and all files, are
# made by `sluice certs make`, so there is one program only that does that.
#
# The authority signs one pair and its key is thrown away: nobody can sign with it afterwards, and there is no key to
# keep safe. So every new pair comes with a new authority, and caBundle holds old and new side by side: kubelet brings
# the pair to the pods about a minute later, and they serve it then, without a restart.
#
# The replicas show each other a second pair in availability mode, by an authority of its own. Kubelets bring a new pair
# to the replicas at different moments, so that a new authority would part them until the last one has it. So the key of
# that authority stays, in a Secret that no pod mounts, and signs the next pair, too.
set -euo pipefail
umask 077

namespace=gpu-webhook
service=gpu-webhook
secret=gpu-webhook-certs
peers_secret=gpu-webhook-peers-ca
peers_name=gpu-webhook-peers
configuration=${WEBHOOK_CONFIGURATION:-gpu-allocation-webhook}
webhook=gpu-allocation.k8s.io

renew_days=30 # a pair with less left is replaced, so a run every two weeks leaves two for a second attempt
days=365
force=no
files=
context=
names=("$service.$namespace.svc" "$service.$namespace.svc.cluster.local" "$service.$namespace" "$service")

usage() {
  cat <<USAGE
Has 'sluice certs make' make a CA and a P-256 certificate for the gateway, puts them into Secret
$secret (namespace $namespace) and the CA into the caBundle of $configuration.
Beside them it puts a certificate by which replicas know each other in availability mode; the key of
its CA is in Secret $peers_secret.
Run it again at any time: a pair that is good for $renew_days more days is kept.
The gateway serves a new pair without a restart, about a minute after it was written.

  tls/make-certs.sh                     after kubectl apply -k k8s/overlays/script-certs
  tls/make-certs.sh --force             a new pair now; the old CA stays trusted too
  tls/make-certs.sh --files ./certs --name localhost
                                        only writes files

  --files DIR      write to DIR instead of to the cluster: sluice certs make --dir DIR does it, with its own rules, and
                   once more with --peers
  --name NAME      a further DNS name for the certificate (may be repeated)
  --days N         how long the pair is valid, more than $renew_days (default $days)
  --force          replace a pair that is still good
  --context NAME   the context of the kubeconfig to use (default: the current one)
  -h, --help       this text

Needs Sluice itself (SLUICE names the launcher; otherwise target/sluice/bin/sluice beside this directory, and then
sluice on the PATH), openssl, and kubectl unless --files is given. WEBHOOK_CONFIGURATION names the webhook configuration
if it has another name than gpu-allocation-webhook. Exit codes: 0 done, 1 failed, 2 wrong use.
USAGE
}

fail() { echo "make-certs: $*" >&2; exit 1; }
misused() { echo "make-certs: $* (see --help)" >&2; exit 2; }
need() { command -v "$1" >/dev/null 2>&1 || fail "$1 is not on the PATH; it is needed to $2"; }
kube() { kubectl ${context:+--context "$context"} "$@"; }

read_options() {
  while (($# > 0)); do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --force) force=yes; shift; continue ;;
      --files | --name | --days | --context) (($# > 1)) && [[ -n $2 ]] || misused "$1 needs a value" ;;
      *) misused "unknown option $1" ;;
    esac
    case $1 in
      --files) files=$2 ;;
      --name) names+=("$2") ;;
      --days) days=$2 ;;
      --context) context=$2 ;;
    esac
    shift 2
  done
  [[ $days =~ ^[1-9][0-9]{0,4}$ ]] && ((days > renew_days)) ||
    misused "--days is $days, expected a number above $renew_days"
  local name
  for name in "${names[@]}"; do
    [[ $name =~ ^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] || misused "--name $name is not a DNS name"
  done
}

# --- the pair -------------------------------------------------------------------------------------------------------

# Prints the launcher. `mvn package` lays it out; where there is an image it is in there, too.
launcher() {
  local beside
  beside=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/target/sluice/bin/sluice
  if [[ -n ${SLUICE:-} ]]; then echo "$SLUICE"; elif [[ -x $beside ]]; then echo "$beside"; else command -v sluice; fi
}

certs_make() { # directory, further options
  local dir=$1 name words=()
  shift
  for name in "${names[@]}"; do words+=(--name "$name"); done
  "$sluice" certs make --dir "$dir" --days "$days" "${words[@]}" "$@"
}

make_pair() { # directory
  certs_make "$1" >"$work/made.log" 2>&1 || fail "no pair could be made: $(cat "$work/made.log")"
  rm -f "$1/ca.key"
}

peers_make() { # directory, further options
  local dir=$1
  shift
  "$sluice" certs make --peers --dir "$dir" --days "$days" "$@"
}

# Prints what keeps the pair in a directory from being used on; nothing for a good one.
pair_problem() { # directory, the beginning of the names of its files, names
  local dir=$1 prefix=$2 file name
  shift 2
  for file in "$prefix"ca.crt "$prefix"tls.crt "$prefix"tls.key; do
    [[ -s $dir/$file ]] || { echo "$file is missing"; return; }
  done
  for file in "$prefix"ca.crt "$prefix"tls.crt; do
    openssl x509 -in "$dir/$file" -noout 2>/dev/null || { echo "$file is no certificate"; return; }
    openssl x509 -in "$dir/$file" -noout -checkend $((renew_days * 86400)) >/dev/null ||
      { echo "$file expires within $renew_days days ($(expiry "$dir/$file"))"; return; }
  done
  [[ $(openssl x509 -in "$dir/${prefix}tls.crt" -noout -pubkey) == \
    "$(openssl pkey -in "$dir/${prefix}tls.key" -pubout 2>/dev/null)" ]] ||
    { echo "${prefix}tls.key does not belong to ${prefix}tls.crt"; return; }
  openssl verify -CAfile "$dir/${prefix}ca.crt" "$dir/${prefix}tls.crt" >/dev/null 2>&1 ||
    { echo "${prefix}ca.crt did not sign ${prefix}tls.crt"; return; }
  for name in "$@"; do
    openssl verify -CAfile "$dir/${prefix}ca.crt" -verify_hostname "$name" "$dir/${prefix}tls.crt" >/dev/null 2>&1 ||
      { echo "${prefix}tls.crt is not for $name"; return; }
  done
}

expiry() { openssl x509 -in "$1" -noout -enddate | sed 's/^notAfter=//'; }

report() {
  echo "$outcome"
  echo "  names    $(openssl x509 -in "$pair/tls.crt" -noout -text | grep DNS: | sed 's/DNS://g; s/,//g; s/^ *//')"
  echo "  expires  $(expiry "$pair/tls.crt")"
  echo "  replicas know each other until $(expiry "$peers/peers-tls.crt")"
  echo "  CA       $(openssl x509 -in "$pair/ca.crt" -noout -subject | sed 's/^subject= *//; s/^CN *= *//')"
}

# Decides between the pair found and a new one: $pair is the directory of the one to use, $outcome says which and why.
choose_pair() { # where the found one comes from; its directory holds nothing if there was none
  local where=$1 problem reason=
  problem=$(pair_problem "$work/found" "" "${names[@]}")
  [[ -z $(ls "$work/found") ]] || reason=${problem:-of --force}
  if [[ -z $problem && $force == no ]]; then
    pair=$work/found
    outcome="Kept the pair in $where:"
  else
    pair=$work/new
    mkdir "$pair"
    make_pair "$pair"
    outcome="Made a new pair for $where${reason:+, because $reason}:"
  fi
}

# Decides between the pair of replicas found and a new one by the same authority: $peers is the directory of the one to
# use. The authority of a pair that was found without its key, or that ends before the new pair would, is replaced.
choose_peers() {
  local problem
  problem=$(pair_problem "$work/found-peers" peers- "$peers_name")
  if [[ -z $problem && $force == no ]]; then
    peers=$work/found-peers
    return
  fi
  peers=$work/new-peers
  mkdir "$peers"
  if [[ -s $work/found-peers/peers-ca.key ]] &&
    openssl x509 -in "$work/found-peers/peers-ca.crt" -noout -checkend $((days * 86400)) >/dev/null 2>&1; then
    cp "$work/found-peers/peers-ca.crt" "$work/found-peers/peers-ca.key" "$peers"
  fi
  peers_make "$peers" >"$work/made.log" 2>&1 || fail "no pair for replicas could be made: $(cat "$work/made.log")"
}

# --- to the cluster -------------------------------------------------------------------------------------------------

secret_field() { kube -n "$namespace" get secret "${2:-$secret}" --ignore-not-found -o "jsonpath={$1}"; }
decode() { openssl base64 -d -A; }
encode() { openssl base64 -A -in "$1"; }

check_cluster() {
  local found
  found=$(kube get namespace "$namespace" --ignore-not-found -o name 2>"$work/kubectl.log") ||
    fail "the cluster did not answer: $(tail -n 1 "$work/kubectl.log")"
  [[ -n $found ]] || fail "there is no namespace $namespace; first: kubectl apply -k k8s/overlays/script-certs"
  found=$(kube get mutatingwebhookconfiguration "$configuration" --ignore-not-found -o name) ||
    fail "kubectl may not read the MutatingWebhookConfiguration $configuration"
  [[ -n $found ]] ||
    fail "there is no MutatingWebhookConfiguration $configuration; first: kubectl apply -k k8s/overlays/script-certs"
  found=$(kube get mutatingwebhookconfiguration "$configuration" \
    -o 'jsonpath={.metadata.annotations.cert-manager\.io/inject-ca-from}')$(
    secret_field '.metadata.annotations.cert-manager\.io/certificate-name')
  [[ -z $found ]] || fail "cert-manager looks after these certificates ($found) and would undo this; use one of the two"
  found=$(secret_field '.data.ca\.key')
  [[ -z $found ]] || fail "the replicas make and renew the pair in Secret $secret (tls.mode: self-managed) and would undo \
this; to use this script instead, apply k8s/overlays/script-certs, and then: kubectl -n $namespace delete secret $secret"
}

read_secret() {
  local file
  for file in ca.crt tls.crt tls.key; do
    read_file "$file" "$secret" "$work/found/$file"
  done
  for file in peers-ca.crt peers-tls.crt peers-tls.key; do
    read_file "$file" "$secret" "$work/found-peers/$file"
  done
  # The certificate beside the key, because the other Secret may have got an authority of somebody else meanwhile.
  read_file ca.crt "$peers_secret" "$work/found-ca.crt"
  if [[ -e $work/found-ca.crt && ! -e $work/found-peers/peers-ca.crt ]]; then
    cp "$work/found-ca.crt" "$work/found-peers/peers-ca.crt"
  fi
  if cmp -s "$work/found-ca.crt" "$work/found-peers/peers-ca.crt"; then
    read_file ca.key "$peers_secret" "$work/found-peers/peers-ca.key"
  fi
}

read_file() { # key, Secret, file
  secret_field ".data.${1/./\\.}" "$2" | decode >"$3"
  [[ -s $3 ]] || rm "$3"
}

# The CA in use, then those trusted so far: pods serve the old pair until kubelet brings the new one. Three in
# all, so that two changes in a row are safe and the list does not grow for ever.
make_bundle() { # bundle so far
  local old count=1
  cat "$pair/ca.crt"
  awk -v dir="$work" '
    /BEGIN CERTIFICATE/ { file = sprintf("%s/trusted-%03d.crt", dir, ++n) }
    file { print > file }
    /END CERTIFICATE/ { file = "" }' "$1"
  for old in "$work"/trusted-*.crt; do
    [[ -e $old ]] && ((count < 3)) || break
    openssl x509 -in "$old" -noout -checkend 0 >/dev/null 2>&1 || continue
    [[ $(openssl x509 -in "$old" -noout -fingerprint -sha256) != \
      "$(openssl x509 -in "$pair/ca.crt" -noout -fingerprint -sha256)" ]] || continue
    openssl x509 -in "$old"
    count=$((count + 1))
  done
}

trust_authority() {
  kube get mutatingwebhookconfiguration "$configuration" \
    -o "jsonpath={.webhooks[?(@.name==\"$webhook\")].clientConfig.caBundle}" | decode >"$work/bundle"
  make_bundle "$work/bundle" >"$work/bundle.new"
  local count
  count=$(grep -c 'BEGIN CERTIFICATE' "$work/bundle.new")
  if cmp -s "$work/bundle" "$work/bundle.new"; then
    echo "caBundle of $configuration holds the CA already ($count in all)."
    return
  fi
  kube patch mutatingwebhookconfiguration "$configuration" --type=strategic --field-manager=make-certs -p "$(
    printf '{"webhooks":[{"name":"%s","clientConfig":{"caBundle":"%s"}}]}' "$webhook" "$(encode "$work/bundle.new")"
  )" >/dev/null
  echo "Put the CA into the caBundle of $configuration ($count in all)."
}

# By server-side apply: the client-side one would leave the key in an annotation as well. What is applied is everything
# that this script has ever put there, because an apply takes away what it does not repeat.
write_secret() {
  local type
  type=$(secret_field .type) # a Secret's type cannot be changed; one from another hand may be Opaque
  kube apply --server-side --force-conflicts --field-manager=make-certs -f - >/dev/null <<SECRET
apiVersion: v1
kind: Secret
metadata:
  name: $secret
  namespace: $namespace
  labels: {app: gpu-webhook, app.kubernetes.io/name: sluice, app.kubernetes.io/instance: gpu-webhook}
type: ${type:-kubernetes.io/tls}
data:
  ca.crt: $(encode "$pair/ca.crt")
  tls.crt: $(encode "$pair/tls.crt")
  tls.key: $(encode "$pair/tls.key")
  peers-ca.crt: $(encode "$peers/peers-ca.crt")
  peers-tls.crt: $(encode "$peers/peers-tls.crt")
  peers-tls.key: $(encode "$peers/peers-tls.key")
SECRET
  if [[ -z $(ls "$work/found") ]]; then
    echo "Wrote Secret $secret. Pods that wait for it start within two minutes."
  else
    echo "Wrote Secret $secret. Pods that run already use what is new about a minute from now."
  fi
}

# The key goes first: a pair whose authority cannot sign again would cost a new authority at the next renewal.
write_peers_authority() {
  kube apply --server-side --force-conflicts --field-manager=make-certs -f - >/dev/null <<SECRET
apiVersion: v1
kind: Secret
metadata:
  name: $peers_secret
  namespace: $namespace
  labels: {app: gpu-webhook, app.kubernetes.io/name: sluice, app.kubernetes.io/instance: gpu-webhook}
data:
  ca.crt: $(encode "$peers/peers-ca.crt")
  ca.key: $(encode "$peers/peers-ca.key")
SECRET
}

fill_cluster() {
  check_cluster
  read_secret
  choose_pair "Secret $secret"
  choose_peers
  # Trust first, then serve: the API server must never meet a certificate that it cannot verify.
  trust_authority
  [[ $peers == "$work/found-peers" ]] || write_peers_authority
  [[ $pair == "$work/found" && $peers == "$work/found-peers" ]] || write_secret
}

read_options "$@"
sluice=$(launcher) ||
  fail "Sluice is needed to make certificates: run 'mvn -q package -DskipTests', or name the launcher in SLUICE"
if [[ -n $files ]]; then
  again=()
  [[ $force == no ]] || again=(--force)
  certs_make "$files" ${again[@]+"${again[@]}"}
  peers_make "$files" ${again[@]+"${again[@]}"}
  exit
fi
need openssl "read certificates"
need kubectl "fill the Secret and the caBundle (or give --files DIR)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/found" "$work/found-peers"
fill_cluster
report # last: what it says has been done
