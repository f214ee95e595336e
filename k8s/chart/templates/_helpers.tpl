{{/* The name of the objects. */}}
{{- define "sluice.fullname" -}}
{{ .Values.fullnameOverride | default "gpu-webhook" }}
{{- end }}

{{/* The class of the pods. If the chart creates it, it has the name of the other objects. */}}
{{- define "sluice.priorityClass" -}}
{{- if and .Values.priorityClass.create (eq .Values.priorityClass.name "gpu-webhook") }}
{{- include "sluice.fullname" . }}
{{- else }}
{{- .Values.priorityClass.name }}
{{- end }}
{{- end }}

{{/* The labels of every object and of the pods. */}}
{{- define "sluice.podLabels" -}}
app: gpu-webhook
app.kubernetes.io/name: {{ .Values.nameOverride | default "sluice" }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: admission-gateway
{{- end }}

{{- define "sluice.labels" -}}
{{ include "sluice.podLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Each is "true" or empty. The configuration says what the gateway does, and so what it has to be given. */}}
{{- define "sluice.availability" -}}
{{- $modes := list .Values.config.policy.mode }}
{{- range .Values.config.policy.namespaces }}
{{- $modes = append $modes (. | default dict).mode }}
{{- end }}
{{- if has "availability" $modes }}true{{ end }}
{{- end }}

{{- define "sluice.selfManaged" -}}
{{ if eq .Values.config.tls.mode "self-managed" }}true{{ end }}
{{- end }}

{{- define "sluice.guarded" -}}
{{ if eq .Values.config.management.access "kubernetes" }}true{{ end }}
{{- end }}

{{/* Binds a role to the gateway's account: by the kind of the role, and the end of its name. */}}
{{- define "sluice.binding" -}}
{{- $fullname := include "sluice.fullname" .root }}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}Binding
metadata:
  name: {{ $fullname }}{{ .suffix }}
  {{- if eq .kind "Role" }}
  namespace: {{ .root.Release.Namespace }}
  {{- end }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ $fullname }}{{ .suffix }}
subjects:
  - kind: ServiceAccount
    name: {{ $fullname }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* A chain must not name its own head. Names are qualified, and none is one of Kubernetes itself. */}}
{{- define "sluice.checkChains" -}}
{{- $place := .place }}
{{- range $head, $chain := .chains }}
{{- if not (regexMatch `^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*/[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$` $head) }}
{{- fail (printf "%s.chains.%q: this is not a qualified resource name; use domain/name such as nvidia.com/gpu" $place $head) }}
{{- end }}
{{- if has $head ($chain | default list) }}
{{- fail (printf "%s.chains.%q: the chain names its own head; remove it from the list, because the head is always tried first" $place $head) }}
{{- end }}
{{- range prepend ($chain | default list) $head }}
{{- if and (not (hasPrefix "deviceclass.resource.kubernetes.io/" .)) (or (contains "kubernetes.io/" .) (hasPrefix "requests." .)) }}
{{- fail (printf "%s.chains.%q: %s is a name that Kubernetes keeps for itself; use a name outside kubernetes.io and without requests." $place $head .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where the files are mounted that replicas show each other, with config.tls.mode: files. */}}
{{- define "sluice.peerFiles" -}}
certificate: /etc/webhook/certs/peers-tls.crt
key: /etc/webhook/certs/peers-tls.key
authority: /etc/webhook/certs/peers-ca.crt
{{- end }}

{{/*
The gateway's configuration. In availability mode the files that replicas show each other are added, which only
config.tls.mode: files reads. A Service of another name than the gateway knows is added to the names of the certificates.
*/}}
{{- define "sluice.config" -}}
{{- $config := deepCopy .Values.config }}
{{- if include "sluice.availability" . }}
{{- $_ := set $config "peers" (merge (include "sluice.peerFiles" . | fromYaml) $config.peers) }}
{{- end }}
{{- $fullname := include "sluice.fullname" . }}
{{- if ne $fullname "gpu-webhook" }}
{{- $service := list (printf "%s.%s.svc" $fullname .Release.Namespace) }}
{{- $_ := set $config.tls.selfManaged "names" (concat $config.tls.selfManaged.names $service | uniq) }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* What no schema can say. */}}
{{- define "sluice.check" -}}
{{- if and .Values.certManager.enabled (include "sluice.selfManaged" .) }}
{{- fail "certManager.enabled: cert-manager and the replicas would both write the certificates; set config.tls.mode: files as well" }}
{{- end }}
{{- with .Values.config.tls.clientCa }}
{{- if not $.Values.clientCa.configMap }}
{{- fail "config.tls.clientCa: name the ConfigMap that holds that file in clientCa.configMap" }}
{{- end }}
{{- if or (not (isAbs .)) (has (dir .) (list "/" "/etc/sluice" "/etc/webhook/certs" "/tmp")) }}
{{- fail (printf "config.tls.clientCa: %s must be in a directory of its own, such as /etc/webhook/client-ca/ca.crt, because the ConfigMap is mounted there" .) }}
{{- end }}
{{- end }}
{{- if not (include "sluice.selfManaged" .) }}
{{- range $key, $file := pick .Values.config.tls "certificate" "key" }}
{{- if ne (dir $file) "/etc/webhook/certs" }}
{{- fail (printf "config.tls.%s: %s must be in /etc/webhook/certs, where the Secret gpu-webhook-certs is mounted" $key $file) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (include "sluice.availability" .) (not (include "sluice.selfManaged" .)) }}
{{- range $key, $file := include "sluice.peerFiles" . | fromYaml }}
{{- if ne (index $.Values.config.peers $key | default $file) $file }}
{{- fail (printf "config.peers.%s: it must be %s, where tls/make-certs.sh and cert-manager put it, or null" $key $file) }}
{{- end }}
{{- end }}
{{- end }}
{{- include "sluice.checkChains" (dict "place" "config.policy" "chains" .Values.config.policy.chains) }}
{{- range $namespace, $policy := .Values.config.policy.namespaces }}
{{- include "sluice.checkChains" (dict "place" (printf "config.policy.namespaces.%q" $namespace) "chains" ($policy | default dict).chains) }}
{{- end }}
{{- if eq (int .Values.config.webhook.port) (int .Values.config.management.port) }}
{{- fail (printf "config.management.port: %d is the port of the webhook, too" (int .Values.config.management.port)) }}
{{- end }}
{{- if and (include "sluice.availability" .) (has (int .Values.config.peers.port) (list (int .Values.config.webhook.port) (int .Values.config.management.port))) }}
{{- fail (printf "config.peers.port: %d is the port of another server of the gateway, too" (int .Values.config.peers.port)) }}
{{- end }}
{{- range $section, $values := pick .Values.config "webhook" "management" "peers" }}
{{- if or (has $values.host (list "localhost" "::1")) (hasPrefix "127." $values.host) }}
{{- fail (printf "config.%s.host: at %s nobody outside of the pod reaches the gateway; use 0.0.0.0, or \"::\" for every address" $section $values.host) }}
{{- end }}
{{- if and $.Values.hostNetwork (has (int $values.port) (list 10248 10249 10250 10255 10256)) }}
{{- fail (printf "config.%s.port: with hostNetwork the gateway may not listen on %d, which the kubelet or kube-proxy uses on each node" $section (int $values.port)) }}
{{- end }}
{{- if and $.Values.hostNetwork (lt (int $values.port) 1024) }}
{{- fail (printf "config.%s.port: with hostNetwork the gateway may not listen on %d, because it is not root; use a port from 1024 on that is free on the nodes" $section (int $values.port)) }}
{{- end }}
{{- end }}
{{- if and .Values.config.injection.file (not .Values.injectionRules) }}
{{- fail "config.injection.file: put the text of that file into injectionRules" }}
{{- end }}
{{- if and .Values.injectionRules (ne (.Values.config.injection.file | default "") "/etc/sluice/gpu-injection.json") }}
{{- fail "injectionRules: set config.injection.file: /etc/sluice/gpu-injection.json as well" }}
{{- end }}
{{- end }}
