export { operations } from "./generated/operations.ts";
export { openapi, type OpenApiDocument } from "./openapi.ts";
export type { OperationId } from "./operation-id.ts";
export type { OperationInput } from "./operation-input.ts";
export type { OperationPolicy } from "./operation-policy.ts";
export type { OperationResult } from "./operation-result.ts";
export type { Schemas } from "./schemas.ts";
