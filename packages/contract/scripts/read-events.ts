import type { OpenAPI3 } from "openapi-typescript";

/** An event type with the name of the schema that its events have. */
export type EventEntry = { type: string; schema: string };

type Webhook = { post: { requestBody: { content: { "application/json": { schema: { $ref: string } } } } } };

/**
 * The event types of the description with their schemas, in its order. Its shape is what the lint rules have made sure
 * of.
 */
export function readEvents(description: OpenAPI3): EventEntry[] {
  // The lint rules hold every webhook to this shape, and the bundler leaves references to components in place.
  const webhooks = Object.entries((description.webhooks ?? {}) as unknown as Record<string, Webhook>);
  return webhooks.map(([type, { post }]) => {
    const { $ref } = post.requestBody.content["application/json"].schema;
    return { type, schema: $ref.replace("#/components/schemas/", "") };
  });
}
