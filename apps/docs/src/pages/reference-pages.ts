import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi } from "../reference/open-api.ts";
import type { Page } from "./page.ts";
import { fieldsTable, listFields, typeName } from "./schema-fields.ts";

/**
 * A reference page per document. Its HTML is Redocly's; this is its Markdown, for programs and for the search: every operation
 * with its permission, parameters, body and responses.
 */
export function createReferencePages(documents: readonly ApiDocument[]): Page[] {
  return documents.map(({ name, openapi, operations }) => {
    const { title, version, summary = title, description = "" } = openapi.info;
    const markdown = `# ${title} reference

${summary} Version ${version}.

${demoteHeadings(description, 1)}

${(openapi.tags ?? [])
  .map((tag) => renderTag(tag, openapi, operations))
  .filter((text) => text !== "")
  .join("\n\n")}
`;
    return {
      path: `reference/${name}`,
      kind: "reference",
      section: "reference",
      title: `${title} reference`,
      description: `${summary} Every operation with its parameters, body and responses.`,
      markdown: spellOutDocumentLinks(markdown, name),
    };
  });
}

type Tag = { name: string; description?: string };

function renderTag({ name, description = "" }: Tag, openapi: OpenApi, operations: readonly Operation[]): string {
  const own = operations.filter(({ tags }) => tags?.includes(name));
  return own.length === 0
    ? ""
    : [`## ${name}`, description, ...own.map((operation) => renderOperation(openapi, operation))].join("\n\n");
}

function renderOperation(openapi: OpenApi, operation: Operation): string {
  const { operationId, summary = operationId, method, path, description = "" } = operation;
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    description,
    renderPermission(operation),
    renderParameters(openapi, operation),
    renderBody(openapi, operation),
    renderResponses(openapi, operation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function renderPermission({ security = [], "x-emits": emits = [] }: Operation): string {
  const [permission] = security.flatMap((one) => Object.values(one).flat());
  return [
    ...(permission === undefined ? [] : [`Permission: \`${permission}\`.`]),
    ...(emits.length === 0 ? [] : [`Causes: ${emits.map((type) => `[\`${type}\`](event:${type})`).join(", ")}.`]),
  ].join(" ");
}

function renderParameters(openapi: OpenApi, { parameters = [] }: Operation): string {
  const fields = parameters.map((parameter) => {
    const { name, in: place, required = false, description = "", schema = {} } = resolve(openapi, parameter);
    return { name, type: `${typeName(openapi, schema)} (${place})`, isRequired: required, description };
  });
  return fields.length === 0 ? "" : fieldsTable(fields).replace("| Field |", "| Parameter |");
}

function renderBody(openapi: OpenApi, { requestBody }: Operation): string {
  const [media] = Object.values((requestBody && resolve(openapi, requestBody).content) ?? {});
  const schema = media?.schema && resolve(openapi, media.schema);
  const choices = schema?.oneOf ?? (schema ? [schema] : []);
  return choices
    .map((choice) => {
      const { title } = resolve(openapi, choice);
      const name = choices.length > 1 && title ? `Body, ${title.toLowerCase()}` : "Body";
      return `${name}:\n\n${fieldsTable(listFields(openapi, choice))}`;
    })
    .join("\n\n");
}

/** The shape of the success; of the failures one line each. */
function renderResponses(openapi: OpenApi, { responses = {} }: Operation): string {
  return Object.entries(responses)
    .map(([status, reference]) => {
      const { description = "", content = {} } = resolve(openapi, reference);
      const schema = content["application/json"]?.schema;
      const fields = /^2/.test(status) && schema ? `\n\n${fieldsTable(listFields(openapi, schema))}\n` : "";
      return `- \`${status}\`: ${description.replaceAll(/\s+/g, " ").trim()}${fields}`;
    })
    .join("\n");
}

function demoteHeadings(text: string, levels: number): string {
  return text.replaceAll(/^#+ /gm, (marks) => "#".repeat(levels) + marks);
}
