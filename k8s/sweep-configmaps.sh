#!/usr/bin/env bash
# Deletes the gateway's ConfigMaps of former revisions. Each change of the configuration makes a new ConfigMap, and nothing
# deletes the old ones. A ConfigMap stays if the Deployment, one of its ReplicaSets or a pod mounts it, because a rollout, or
# `kubectl rollout undo`, still needs it. The newest one stays in any case. Do not run this while a `kubectl apply` runs.
#
#   k8s/sweep-configmaps.sh [--dry-run] [--context NAME]
#
# Exit codes: 0 done, 1 failed, 2 wrong use.
set -euo pipefail

namespace=gpu-webhook
prefix=gpu-webhook-config-
context=()
dry_run=()

while (($# > 0)); do
  case $1 in
    --dry-run) dry_run=(--dry-run=server); shift ;;
    --context) (($# > 1)) || { echo "sweep-configmaps: --context needs a value" >&2; exit 2; }
      context=(--context "$2"); shift 2 ;;
    *) echo "sweep-configmaps: unknown option $1; use --dry-run or --context NAME" >&2; exit 2 ;;
  esac
done

kube() { kubectl ${context[@]+"${context[@]}"} -n "$namespace" "$@"; }

names() { sed -n "s|^\(.* \)\{0,1\}\($prefix[0-9a-z]*\)\$|\1\2|p"; }

# The ConfigMaps are listed before what mounts them: one that is made meanwhile is not in the list. The times are in whole
# seconds.
found=$(kube get configmaps -o jsonpath='{range .items[*]}{.metadata.creationTimestamp} {.metadata.name}{"\n"}{end}' |
  names | sort)
newest=$(tail -n 1 <<<"$found" | cut -d ' ' -f 1)
# In pods the volumes are in spec, and in the others in the template of their pods.
volumes() { echo "{range $1[*]}{.configMap.name}{\"\\n\"}{end}"; }
mounted=$(kube get deployments,replicasets,pods -l app=gpu-webhook -o \
  jsonpath="{range .items[*]}$(volumes .spec.template.spec.volumes)$(volumes .spec.volumes){end}" | names)
[[ -n $mounted ]] || {
  echo "sweep-configmaps: nothing in $namespace mounts a ConfigMap $prefix*; nothing is deleted" >&2
  exit 1
}
unused=$(grep -v "^$newest " <<<"$found" | cut -d ' ' -f 2 | grep -vxF "$mounted" || true)
[[ -n $unused ]] || { echo "All $(wc -l <<<"$found") ConfigMaps are in use."; exit; }
# shellcheck disable=SC2086 # one word for each name
kube delete configmap ${dry_run[@]+"${dry_run[@]}"} $unused
