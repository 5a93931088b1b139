{{- define "pith.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "pith.labels" -}}
app.kubernetes.io/name: pith
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pith.allLabels" -}}
{{ include "pith.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Values that can't work together. */}}
{{- define "pith.check" -}}
{{- if and .Values.engines.neo4jUrl (not .Values.engines.qdrantUrl) }}
{{- fail "engines.neo4jUrl needs engines.qdrantUrl: otherwise every replica would write the graph." }}
{{- end }}
{{- if and .Values.engines.index (not .Values.engines.postgres) }}
{{- fail "engines.index needs engines.postgres, and PITH_DATABASE in the Secret." }}
{{- end }}
{{- if and .Values.engines.index .Values.engines.qdrantUrl }}
{{- fail "engines.index and engines.qdrantUrl can't be set together: the index is in one of them." }}
{{- end }}
{{- if .Values.settings.PITH_INDEX_STORE }}
{{- fail "settings.PITH_INDEX_STORE: use engines.index, which also makes the job. Otherwise every replica would store its own index." }}
{{- end }}
{{- if and .Values.documents.list .Values.documents.volume }}
{{- fail "documents.list and documents.volume can't be set together: put .pith.yaml into the volume." }}
{{- end }}
{{- if not .Values.engines.postgres }}
{{- if .Values.settings.MCP_DOMAINS }}
{{- fail "settings.MCP_DOMAINS needs engines.postgres: what agents keep would be lost with the pod." }}
{{- end }}
{{- if ne (.Values.settings.PITH_QUESTIONS | default "off") "off" }}
{{- fail "settings.PITH_QUESTIONS needs engines.postgres: kept questions would be lost with the pod." }}
{{- end }}
{{- if eq (.Values.settings.PITH_LEDGER | default "off") "on" }}
{{- fail "settings.PITH_LEDGER needs engines.postgres: the ledger would be lost with the pod." }}
{{- end }}
{{- if regexMatch "(?m)^[^#\n]*(\\beffect[\"']?:\\s*[\"']?(approve|review)\\b|^providers:)" (index .Values.files "governance.yaml" | default "") }}
{{- fail "files.governance.yaml has rules with approvals, or providers, and needs engines.postgres: approvals and accepted tools would be lost with the pod." }}
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.host is needed: Pith answers only to the names in PITH_HTTP_ALLOWED_HOSTS." }}
{{- end }}
{{- $secrets := list
  "PITH_ADMIN_TOKEN" "PITH_APPROVAL_WEBHOOK_SECRET" "PITH_APPROVAL_WEBHOOK_URL" "PITH_DATABASE"
  "PITH_EMBED_API_KEY" "PITH_GOVERNANCE_DATABASE" "PITH_HTTP_TOKEN" "PITH_NEO4J_PASSWORD"
  "PITH_QDRANT_API_KEY" "PITH_REDIS_URL" "PITH_RERANK_API_KEY" "PITH_SCRATCH_KEY"
  "PITH_SECRET" }}
{{- range $name, $value := .Values.settings }}
{{- if has $name $secrets }}
{{- fail (printf "settings.%s is a secret, and settings are in a ConfigMap: put it into the Secret %s." $name $.Values.secretName) }}
{{- end }}
{{- end }}
{{- if hasKey .Values.files "documents.yaml" }}
{{- fail "files.documents.yaml is the name of the list of documents: use documents.list." }}
{{- end }}
{{- end }}

{{/* True if a job writes the index, and replicas only read it. */}}
{{- define "pith.hasJob" -}}
{{ if or .Values.engines.index .Values.engines.qdrantUrl }}true{{ end }}
{{- end }}

{{/* True if all replicas have the same passages. */}}
{{- define "pith.sharesPassages" -}}
{{- $scratch := .Values.settings.PITH_SCRATCH_ENGINE | default "auto" }}
{{- if eq $scratch "auto" }}{{ if or .Values.engines.redis .Values.engines.postgres }}true{{ end }}
{{- else if ne $scratch "memory" }}true{{ end }}
{{- end }}

{{/* Seconds that a pod has to end: the sleep, running calls, two seconds for what is left, and some more. */}}
{{- define "pith.graceSeconds" -}}
{{- $calls := div (add (int (default "5000" .Values.settings.PITH_HTTP_SHUTDOWN_MS)) 999) 1000 -}}
{{ add .Values.preStopSeconds $calls 2 3 }}
{{- end }}

{{- define "pith.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pith.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "pith.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Settings, then secrets. Pods that lack a needed key are not started, and say which one. */}}
{{- define "pith.environment" -}}
envFrom:
  - configMapRef: { name: {{ include "pith.name" . }} }
  - secretRef: { name: {{ .Values.secretName }} }
env:
{{- $needed := list "PITH_SECRET" }}
{{- if .Values.engines.postgres }}{{ $needed = append $needed "PITH_DATABASE" }}{{ end }}
{{- if .Values.engines.redis }}{{ $needed = concat $needed (list "PITH_REDIS_URL" "PITH_SCRATCH_KEY") }}{{ end }}
{{- range $needed }}
  - name: {{ . }}
    valueFrom: { secretKeyRef: { name: {{ $.Values.secretName }}, key: {{ . }} } }
{{- end }}
{{- end }}

{{- define "pith.volumeMounts" -}}
- { name: files, mountPath: /etc/pith, readOnly: true }
- { name: tmp, mountPath: /tmp }
- { name: index, mountPath: /app/index }
- { name: reports, mountPath: /app/reports }
{{- end }}

{{/* All volumes but that of the index. */}}
{{- define "pith.volumes" -}}
- name: files
  configMap: { name: {{ include "pith.name" . }}-files }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
- name: reports
  emptyDir: { sizeLimit: 1Gi }
{{- end }}

{{/* For pods that index. */}}
{{- define "pith.documents" -}}
- name: documents
{{- if .Values.documents.volume }}
{{- toYaml .Values.documents.volume | nindent 2 }}
{{- else }}
  configMap:
    name: {{ include "pith.name" . }}-files
    items: [{ key: documents.yaml, path: .pith.yaml }]
{{- end }}
{{- end }}

{{/* Restarts the pods when a setting or a file has changed. */}}
{{- define "pith.checksum" -}}
checksum/config: {{ include (print .Template.BasePath "/config.yaml") . | sha256sum }}
{{- end }}
