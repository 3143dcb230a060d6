export { signatureHeaderName, WebhookVerificationError } from "@gateway/webhooks";
export type { SignatureFailureReason } from "@gateway/webhooks";
export type { EventType, UnknownEvent, WebhookEvent } from "./webhooks/webhook-event.ts";
export { readRawBody, type RawBodySource } from "./webhooks/read-raw-body.ts";
export { signTestPayload, type SignedTestPayload } from "./webhooks/sign-test-payload.ts";
export { verifyWebhook, type VerifyWebhookOptions } from "./webhooks/verify-webhook.ts";
