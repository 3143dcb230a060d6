export type { VerifiedPrincipal, VerifiedCredential } from "./verified-principal.ts";
export { PrincipalRefused } from "./principal-refused.ts";
export { createMemoryReplayStore, type ReplayStore } from "./replay-store.ts";
export { sendEvent, type SendEventInput, type SentEvent } from "./send-event.ts";
export { verifyPrincipal, type ReceivedRequest, type VerifyPrincipalOptions } from "./verify-principal.ts";
