import { Flag, Text } from './setting.js';

/** OpenTelemetry. Its further OTEL_* variables are read by its SDK. */
export class TelemetryConfig {
  @Text(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Where traces, metrics and logs are sent, as OTLP over HTTP. Empty: nowhere, and no telemetry SDK is loaded.',
    { takes: 'empty, or an http(s) address', pattern: /^$|^https?:\/\/\S+$/ },
  )
  otlpEndpoint = '';

  @Text('OTEL_SERVICE_NAME', 'What the service is called in telemetry.')
  serviceName = 'pith';

  @Flag('OTEL_SDK_DISABLED', 'Send no telemetry, whatever else is set.')
  isDisabled = false;
}
