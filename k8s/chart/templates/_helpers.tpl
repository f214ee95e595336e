{{/* The labels of every object and of the pods. */}}
{{- define "sluice.podLabels" -}}
app: gpu-webhook
app.kubernetes.io/name: sluice
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

{{/* An object of the cluster that is bound to the gateway's account: by name and kind. */}}
{{- define "sluice.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}Binding
metadata:
  name: {{ .name }}
  {{- if eq .kind "Role" }}
  namespace: {{ .root.Release.Namespace }}
  {{- end }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: gpu-webhook
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* What no schema can say. */}}
{{- define "sluice.check" -}}
{{- if and .Values.certManager.enabled (include "sluice.selfManaged" .) }}
{{- fail "certManager.enabled: cert-manager and the replicas would both write the certificates; set config.tls.mode: files as well" }}
{{- end }}
{{- if and .Values.config.tls.clientCa (not .Values.clientCa.configMap) }}
{{- fail "config.tls.clientCa: name the ConfigMap that holds that file in clientCa.configMap" }}
{{- end }}
{{- end }}
