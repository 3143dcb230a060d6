export type { UpstreamAnswer } from "./exchange.ts";
export { maxAnswerBytes } from "./exchange.ts";
export { principalHeaderName, type ForwardedPrincipal } from "./principal-header.ts";
export { fingerprintUpstreams } from "./fingerprint-upstreams.ts";
export { isObject, readJson } from "./read-json.ts";
export { moneyServices, type ForwardableService } from "./services.ts";
export { upstreamInvalidAnswer, upstreamUnavailable } from "./upstream-fault.ts";
export {
  checkUpstreams,
  upstreamsConfigOf,
  upstreamSettings,
  type UpstreamConfig,
  type UpstreamsConfig,
} from "./upstream-settings.ts";
export { upstreamPorts } from "./upstream-ports.ts";
export type { Upstream, UpstreamOutcome } from "./upstream.ts";
export { createUpstreams, type Upstreams } from "./upstreams.ts";
export { verifyUpstreamEvent, type UpstreamEvent } from "./verify-event.ts";
