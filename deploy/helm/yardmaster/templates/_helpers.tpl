{{- define "yardmaster.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "yardmaster.selector" -}}
app.kubernetes.io/name: yardmaster
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "yardmaster.labels" -}}
{{ include "yardmaster.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "yardmaster.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "yardmaster.secret" -}}
{{ .Values.admin.existingSecret | default (printf "%s-admin" (include "yardmaster.name" .)) }}
{{- end }}

{{/* The name of the secret with the certificate; empty: the masters have none. */}}
{{- define "yardmaster.tlsSecret" -}}
{{- if .Values.tls.secretName }}{{ .Values.tls.secretName }}{{ else if .Values.tls.certManager.enabled }}{{ include "yardmaster.name" . }}-tls{{ end }}
{{- end }}

{{- define "yardmaster.scheme" -}}
{{ ternary "https" "http" (ne (include "yardmaster.tlsSecret" .) "") }}
{{- end }}

{{/* Where pods of the release reach the masters. */}}
{{- define "yardmaster.host" -}}
{{ include "yardmaster.name" . }}.{{ .Release.Namespace }}.svc
{{- end }}

{{- define "yardmaster.url" -}}
{{ include "yardmaster.scheme" . }}://{{ include "yardmaster.host" . }}:{{ .Values.service.port }}
{{- end }}

{{/* Names by which clients may call a master, besides its addresses. */}}
{{- define "yardmaster.hosts" -}}
{{- $name := include "yardmaster.name" . -}}
{{- $space := .Release.Namespace -}}
{{- $hosts := list $name (printf "%s.%s" $name $space) (printf "%s.%s.svc" $name $space) (printf "%s.%s.svc.cluster.local" $name $space) -}}
{{- range $i := until (int .Values.masters.replicas) }}{{ $hosts = append $hosts (printf "%s-%d.%s-masters.%s.svc" $name $i $name $space) }}{{ end -}}
{{- if .Values.ingress.enabled }}{{ $hosts = append $hosts .Values.ingress.host }}{{ end -}}
{{- join "," (concat $hosts .Values.masters.allowedHosts) -}}
{{- end }}

{{/* What all pods of the image share. */}}
{{- define "yardmaster.pod" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
automountServiceAccountToken: false
# Variables such as YARDMASTER_PORT, which Kubernetes makes of a Service of that name, would be taken for options.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "yardmaster.container" -}}
image: {{ include "yardmaster.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{ include "yardmaster.confined" . }}
{{- end }}

{{- define "yardmaster.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "yardmaster.spread" -}}
{{- $place := index .root.Values .component -}}
{{- with $place.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with $place.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- if $place.topologySpread.enabled }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: {{ $place.topologySpread.key }}
    whenUnsatisfiable: {{ $place.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels: {{- include "yardmaster.selector" . | nindent 8 }}
{{- end }}
{{- end }}

{{/* For commands that talk to the masters from within the cluster. */}}
{{- define "yardmaster.trust" -}}
{{- if include "yardmaster.tlsSecret" . }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/yardmaster/ca/ca.crt }
{{- else }}
- { name: YARDMASTER_ALLOW_PLAIN, value: '1' }
{{- end }}
{{- end }}

{{- define "yardmaster.caVolume" -}}
- name: ca
  secret:
    secretName: {{ include "yardmaster.tlsSecret" . }}
    items: [{ key: ca.crt, path: ca.crt }]
{{- end }}

{{/* Variables of the log store, where the masters do not keep lines themselves. */}}
{{- define "yardmaster.logsEnv" -}}
{{- $logs := .Values.logStore }}
{{- if eq $logs.kind "victorialogs" }}
- { name: YARDMASTER_LOGS, value: 'http://{{ include "yardmaster.name" . }}-victorialogs.{{ .Release.Namespace }}.svc:9428' }
- { name: YARDMASTER_LOGS_USER, value: yardmaster }
- { name: YARDMASTER_LOGS_PASSWORD_FILE, value: /etc/yardmaster/secrets/logs-password }
{{- else if eq $logs.kind "external" }}
{{- with $logs.external }}
- { name: YARDMASTER_LOGS, value: {{ .url | quote }} }
{{- with .insertUrl }}
- { name: YARDMASTER_LOGS_INSERT, value: {{ . | quote }} }
{{- end }}
{{- with .tenant }}
- { name: YARDMASTER_LOGS_TENANT, value: {{ . | quote }} }
{{- end }}
{{- with .user }}
- { name: YARDMASTER_LOGS_USER, value: {{ . | quote }} }
{{- end }}
{{- if .secret.name }}
- { name: YARDMASTER_LOGS_{{ ternary "PASSWORD" "TOKEN" (ne .user "") }}_FILE, value: /etc/yardmaster/logs/credential }
{{- end }}
{{- if .caSecret }}
- { name: YARDMASTER_LOGS_CA, value: /etc/yardmaster/logs-ca/ca.crt }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables of the metric store, but for its token and its certificate authority. */}}
{{- define "yardmaster.metricsEnv" -}}
{{- if eq .Values.metricsStore.kind "influxdb" }}
- { name: YARDMASTER_METRICS, value: 'http://{{ include "yardmaster.name" . }}-influxdb.{{ .Release.Namespace }}.svc:8086' }
- { name: YARDMASTER_METRICS_ORG, value: yardmaster }
- { name: YARDMASTER_METRICS_BUCKET, value: metrics }
{{- else if eq .Values.metricsStore.kind "external" }}
{{- with .Values.metricsStore.external }}
- { name: YARDMASTER_METRICS, value: {{ .url | quote }} }
- { name: YARDMASTER_METRICS_ORG, value: {{ .organization | quote }} }
- { name: YARDMASTER_METRICS_BUCKET, value: {{ .bucket | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Secret and key of the token of the metric store. */}}
{{- define "yardmaster.metricsToken" -}}
{{- if eq .Values.metricsStore.kind "influxdb" }}{ name: {{ include "yardmaster.secret" . }}, key: metrics-token }
{{- else }}{ name: {{ .Values.metricsStore.external.secret.name }}, key: {{ .Values.metricsStore.external.secret.key }} }
{{- end }}
{{- end }}
