export * from "./envelope.ts";
export * from "./hmac.ts";
export * from "./retry-schedule.ts";
export * from "./sign-payload.ts";
export * from "./signature-failure.ts";
export { verifySignature, type SignatureResult, type VerifyInput, type VerifyOptions } from "./verify-signature.ts";
export * from "./verify-webhook.ts";
export type { RawBody } from "./signed-message.ts";
export { signatureHeaderName } from "./signature-header.ts";
