import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi, type OperationObject } from "../reference/open-api.ts";
import { describeMarkdown, type Page } from "./page.ts";
import { fieldsTable, listFields } from "./schema-fields.ts";

/** The service that owns a type of event, by the first word of its name. The document names services on paths only. */
const services: Readonly<Record<string, string>> = {
  payment: "orchestra",
  kyc: "identity",
  custody: "custody",
  wallet: "ledger",
};

const families: Readonly<Record<string, string>> = {
  payment: "Payments",
  kyc: "Identity verification",
  custody: "Custody",
  wallet: "Wallets",
};

/** The catalogue: a page for each type of event that the document has, and the list of them. */
export function createEventPages({ name, openapi, operations }: ApiDocument): Page[] {
  const types = Object.entries(openapi.webhooks ?? {});
  const pages = types.map(([type, { post }]) => createEventPage({ openapi, operations, type, webhook: post }));
  return [createCatalogue(pages), ...pages].map((page) => ({
    ...page,
    markdown: spellOutDocumentLinks(page.markdown, name),
  }));
}

function createCatalogue(pages: readonly Page[]): Page {
  const markdown = `# Event catalogue

Everything that we POST to your webhooks, type by type: what it means, what causes it, and what it carries.

Every event has the same envelope: \`id\`, \`type\`, \`created\`, \`data.object\` and \`livemode\`. \`data.object\` is the resource as it
was when the event happened. How to register, verify and answer: [Webhooks](../guides/webhooks.md).

${Object.keys(families)
  .map((family) => renderFamily(family, pages))
  .join("\n\n")}
`;
  return { path: "events/index", kind: "event", section: "events", ...describeMarkdown(markdown), markdown };
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
  webhook: OperationObject;
};

function createEventPage({ openapi, operations, type, webhook }: EventSource): Page {
  const media = resolve(openapi, webhook.requestBody ?? {}).content?.["application/json"];
  const [example] = Object.values(media?.examples ?? {});
  if (!media?.schema || !example) {
    throw new Error(`The event ${type} has no schema or no example.`);
  }
  // The last paragraph points at the guide, in the reference's own way of linking.
  const meaning = (webhook.description ?? "").split(/\n\s*\nHow to verify/)[0]?.trim() ?? "";
  const markdown = `# ${type}

${meaning}

## What causes it

${describeCause(type, operations)}

## Example

\`\`\`json title="The body of the delivery"
${JSON.stringify(resolve(openapi, example).value, null, 2)}
\`\`\`

## Fields

${fieldsTable(listFields(openapi, media.schema))}

Fields may be added: ignore those that you do not know. A delivery may come more than once and in any order; see
[Webhooks](../guides/webhooks.md#expect-repeats-in-any-order).

## Try it

A test event is this example, sent to one webhook of yours with a real signature. It has \`livemode: false\`, and nothing else happens.

\`\`\`sh
curl "$GATEWAY_URL/api/v1/webhooks/$WEBHOOK_ID/test" \\
  -H "X-API-Key: $GATEWAY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "type": "${type}" }'
\`\`\`
`;
  return { path: `events/${type}`, kind: "event", section: "events", ...describeMarkdown(markdown), markdown };
}

/** The operations that name it in `x-emits`; an event that no call of the API causes comes from its service. */
function describeCause(type: string, operations: readonly Operation[]): string {
  const causes = operations.filter((operation) => operation["x-emits"]?.includes(type));
  const service = services[familyOf(type)];
  if (service === undefined) {
    throw new Error(`No service is known for the event ${type}: name it in event-pages.ts.`);
  }
  if (causes.length === 0) {
    return `No call of the API causes it directly: it comes from the ${service} service, when what it tells of happens there.`;
  }
  const list = causes.map(
    ({ operationId, summary = operationId, method, path }) =>
      `- [${summary}](operation:${operationId}): \`${method} ${path}\``,
  );
  return `A call to the ${service} service:\n\n${list.join("\n")}`;
}

function familyOf(type: string): string {
  return type.split(".")[0] ?? "";
}
