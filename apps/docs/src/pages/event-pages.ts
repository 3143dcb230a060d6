import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi, type WebhookObject } from "../reference/open-api.ts";
import { describeMarkdown, type Page } from "./page.ts";
import { fieldsTable, listFields } from "./schema-fields.ts";
import { causeOf, listStateMachines, stateTitle, statesPath, typesOf } from "./state-pages.ts";

/** The headings of event types by family, in this order. */
const families: Readonly<Record<string, string>> = {
  payment: "Payments",
  kyc: "Identity verification",
  custody: "Custody",
  wallet: "Wallets",
};

/** The catalogue: a page for each event type of the document, and their list. */
export function createEventPages({ name, openapi, operations }: ApiDocument): Page[] {
  const types = Object.entries(openapi.webhooks ?? {});
  const pages = types.map(([type, webhook]) => createEventPage({ openapi, operations, type, webhook }));
  return [createCatalogue(pages, openapi), ...pages].map((page) => ({
    ...page,
    markdown: spellOutDocumentLinks(page.markdown, name),
  }));
}

function createCatalogue(pages: readonly Page[], openapi: OpenApi): Page {
  const markdown = `# Event catalogue

Everything that we POST to your webhooks, type by type: what it means, what causes it, and what it carries.

Every event has the same envelope: \`id\`, \`type\`, \`created\`, \`data.object\` and \`livemode\`. \`data.object\` is the resource as it
was when the event happened. How to register, verify and respond: [Webhooks](../guides/webhooks.md).

${Object.keys(families)
  .map((family) => renderFamily(family, pages))
  .join("\n\n")}

## States

The transitions between states, and the events that report them:

${listStateMachines(openapi)
  .map(({ name }) => `- [${stateTitle(name)}](../${statesPath(name)}.md)`)
  .join("\n")}
`;
  return {
    path: "events/index",
    kind: "event",
    section: "events",
    sources: ["openapi/webhooks"],
    ...describeMarkdown(markdown),
    markdown,
  };
}

function renderFamily(family: string, pages: readonly Page[]): string {
  const rows = pages
    .filter(({ title }) => familyOf(title) === family)
    .map(({ title, description }) => `| [\`${title}\`](event:${title}) | ${description} |`);
  return [`## ${families[family]}`, "", "| Type | When |", "|---|---|", ...rows].join("\n");
}

type EventSource = {
  openapi: OpenApi;
  operations: readonly Operation[];
  type: string;
  webhook: WebhookObject;
};

function createEventPage({ openapi, operations, type, webhook }: EventSource): Page {
  const { requestBody = {}, description = "" } = webhook.post;
  const media = resolve(openapi, requestBody).content?.["application/json"];
  const [example] = Object.values(media?.examples ?? {});
  if (!media?.schema || !example) {
    throw new Error(`The event ${type} has no schema or no example.`);
  }
  // The last paragraph points to the guide with a link of the reference.
  const meaning = description.split(/\n\s*\nHow to verify/)[0]?.trim() ?? "";
  const markdown = `# ${type}

${meaning}

## What causes it

${describeCause(type, webhook, operations)}${describeMoves(type, openapi)}

## Example

\`\`\`json title="The body of the delivery"
${JSON.stringify(resolve(openapi, example).value, null, 2)}
\`\`\`

## Fields

${fieldsTable(listFields(openapi, media.schema))}

Fields may be added: ignore those that you do not know. A delivery may come more than once and in any order; see
[Webhooks](../guides/webhooks.md#expect-repeats-in-any-order).

## Try it

A test event is this example, sent to one of your webhooks with a real signature. It has \`livemode: false\`, and nothing else happens.

\`\`\`sh
curl "$GATEWAY_URL/api/v1/webhooks/$WEBHOOK_ID/test" \\
  -H "X-API-Key: $GATEWAY_API_KEY" \\
  -H "Idempotency-Key: test-${type}-1" \\
  -H "Content-Type: application/json" \\
  -d '{ "type": "${type}" }'
\`\`\`
`;
  return {
    path: `events/${type}`,
    kind: "event",
    section: "events",
    sources: ["openapi/webhooks"],
    ...describeMarkdown(markdown),
    markdown,
  };
}

/** The operations that name the event in `x-emits`, or the document's words about time and external systems. */
function describeCause(type: string, webhook: WebhookObject, operations: readonly Operation[]): string {
  const { "x-service": service, "x-cause": cause } = webhook;
  const causes = operations.filter((operation) => operation["x-emits"]?.includes(type));
  if (!operations.some((operation) => operation.service === service)) {
    return `Nothing yet: the ${service} service does not exist. Until then, only test events have this type. ${cause}`;
  }
  if (causes.length === 0) {
    return `${cause} It comes from the ${service} service; no operation of the API causes it.`;
  }
  const list = causes.map(
    ({ operationId, summary = operationId, method, path }) =>
      `- [${summary}](operation:${operationId}): \`${method} ${path}\``,
  );
  return `A call to the ${service} service:\n\n${list.join("\n")}`;
}

/** The transitions that no call causes and that this event reports. */
function describeMoves(type: string, openapi: OpenApi): string {
  const lines = listStateMachines(openapi).flatMap(({ name, machine }) =>
    Object.entries(machine.transitions)
      .filter(([, transition]) => transition.by === undefined && typesOf(transition).includes(type))
      .map(
        ([transition, value]) =>
          `- [${stateTitle(name)}](../${statesPath(name)}.md): \`${transition}\`, by ${causeOf(value)}`,
      ),
  );
  return lines.length === 0 ? "" : `\n\nWithout a call:\n\n${lines.join("\n")}`;
}

function familyOf(type: string): string {
  const [family = ""] = type.split(".", 1);
  if (!(family in families)) {
    throw new Error(`The catalogue has no title for the events ${family}.*: give it one in event-pages.ts.`);
  }
  return family;
}
