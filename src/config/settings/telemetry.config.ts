import { Flag, Text } from '../setting.js';

/** OpenTelemetry. The SDK itself reads the other OTEL_* variables. */
export class TelemetryConfig {
  @Text(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTLP/HTTP endpoint for traces, metrics and logs. Empty: telemetry is off and its SDK is not loaded.',
    { takes: 'empty, or an http(s) address', pattern: /^$|^https?:\/\/\S+$/ },
  )
  otlpEndpoint = '';

  @Text('OTEL_SERVICE_NAME', 'Service name in telemetry.')
  serviceName = 'pith';

  @Flag('OTEL_SDK_DISABLED', 'Disable telemetry regardless of other settings.')
  isDisabled = false;
}
