export type { UpstreamAnswer } from "./exchange.ts";
export { principalHeaderName, type ForwardedPrincipal } from "./principal-header.ts";
export { fingerprintUpstreams } from "./fingerprint-upstreams.ts";
export { isObject, readJson } from "./read-json.ts";
export { moneyServices } from "./services.ts";
export { upstreamInvalidAnswer, upstreamUnavailable } from "./upstream-fault.ts";
export {
  checkUpstreams,
  upstreamsConfigOf,
  upstreamSettings,
  type UpstreamConfig,
  type UpstreamsConfig,
} from "./upstream-settings.ts";
export { upstreamPorts } from "./upstream-ports.ts";
export type { Upstream } from "./upstream.ts";
export { createUpstreams, type Upstreams } from "./upstreams.ts";
export { verifyUpstreamEvent } from "./verify-event.ts";
