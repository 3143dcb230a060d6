import { problemCodes } from "@gateway/contract";
import { secondsInWords } from "@gateway/kernel";
import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { createCodeSamples } from "../reference/code-samples.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi } from "../reference/open-api.ts";
import { operationAnchor, operationTextPath, tagPath } from "../reference/operation-anchor.ts";
import { describeMarkdown, type OperationPart, type Page } from "./page.ts";
import { fieldsTable, listFields, typeName } from "./schema-fields.ts";

/** The reference of each document: a page that lists all operations, and a page for each tag with their details. */
export function createReferencePages(documents: readonly ApiDocument[]): Page[] {
  return documents.flatMap((document) => {
    const tags = listTags(document);
    return [createOverview(document, tags), ...tags.map((tag) => createTagPage(document, tag))];
  });
}

type Tag = { name: string; description: string; operations: readonly Operation[] };

/** A tag of events has no operation: its page is the catalogue of events. */
function listTags({ openapi: { tags = [] }, operations }: ApiDocument): Tag[] {
  return tags
    .map(({ name, description = "" }) => ({
      name,
      description,
      operations: operations.filter((one) => one.tags?.includes(name)),
    }))
    .filter((tag) => tag.operations.length > 0);
}

function createOverview(document: ApiDocument, tags: readonly Tag[]): Page {
  const { name, openapi } = document;
  const { title, version, summary = title, description = "" } = openapi.info;
  const markdown = joinParts([
    `# ${title} reference`,
    `${summary} Version ${version}.`,
    "## Operations",
    ...tags.map((tag) => listOperations(document, tag)),
    demoteHeadings(description, 1).trim(),
    "## Servers",
    renderServers(document),
  ]);
  return {
    path: `reference/${name}`,
    kind: "reference",
    section: "reference",
    title: `${title} reference`,
    description: `${summary} Every operation with its parameters, body and responses.`,
    markdown: `${spellOutDocumentLinks(markdown, name)}\n`,
    sources: ["openapi"],
  };
}

function listOperations({ name: document }: ApiDocument, { name, operations }: Tag): string {
  const items = operations.map(
    ({ operationId, summary = operationId, method, path }) =>
      `- [${summary}](operation:${operationId}) \`${method} ${path}\``,
  );
  return [`### [${name}](tag:${document}/${name.replaceAll(" ", "-")})`, "", ...items].join("\n");
}

/** A server of one service is named once that service has an operation. */
function renderServers({ openapi: { servers = [] }, operations }: ApiDocument): string {
  const services = new Set(operations.map(({ service }) => service));
  const rows = servers
    .filter(({ "x-service": service }) => service === undefined || services.has(service))
    .map(({ url, description = "" }) => `| ${description} | \`${url}\` |`);
  return ["| Server | Address |", "|---|---|", ...rows].join("\n");
}

function createTagPage(document: ApiDocument, { name: tag, description, operations }: Tag): Page {
  const { name } = document;
  const parts = operations.map((operation) => createOperationPart(document, operation));
  const intro = spellOutDocumentLinks(joinParts([`# ${tag}`, demoteHeadings(description, 2)]), name);
  const markdown = `${joinParts([intro, ...parts.flatMap(({ markdown: text, samples }) => [text, samples])])}\n`;
  return {
    path: tagPath(name, tag),
    kind: "tag",
    section: "reference",
    ...describeMarkdown(intro),
    markdown,
    sources: ["openapi"],
    parts,
  };
}

function createOperationPart(document: ApiDocument, operation: Operation): OperationPart {
  const { name, openapi } = document;
  const { operationId, summary = operationId, method, path, description = "" } = operation;
  const samples = createCodeSamples(document, operation).map(({ lang, source }) => `\`\`\`${lang}\n${source}\n\`\`\``);
  const markdown = joinParts([
    `## ${summary}`,
    `\`${method} ${path}\``,
    renderDirectServers(operation),
    description,
    renderPermission(operation),
    renderParameters(openapi, operation),
    renderBody(openapi, operation),
    renderResponses(openapi, operation),
  ]);
  return {
    operationId,
    title: summary,
    anchor: operationAnchor(operation).slice(1),
    textPath: operationTextPath(name, operationId),
    markdown: spellOutDocumentLinks(markdown, name),
    samples: joinParts([...samples, renderExample(openapi, operation)]),
    // The identity provider's operations are those of OAuth, for applications, so the console tries none of them.
    isTried: name === "gateway",
  };
}

function renderDirectServers({ directServers }: Operation): string {
  const places = directServers.map(
    ({ url, "x-sandbox": isSandbox }) => `${isSandbox ? "in the sandbox " : ""}\`${url}\``,
  );
  return places.length === 0
    ? ""
    : `Also at the [direct address](#section/Addresses) of its service: ${places.join(", ")}.`;
}

function joinParts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** The document's first example of a successful response. */
function renderExample(openapi: OpenApi, { responses = {} }: Operation): string {
  const [status = "", reference] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const [media] = Object.values((reference && resolve(openapi, reference).content) ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const value = example && resolve(openapi, example).value;
  return typeof value === "object"
    ? `A response:\n\n\`\`\`json title="${status}"\n${JSON.stringify(value, null, 2)}\n\`\`\``
    : "";
}

function renderPermission(operation: Operation): string {
  const { security = [], sandboxOnly, "x-emits": emits = [] } = operation;
  const [permission] = security.flatMap((one) => Object.values(one).flat());
  return [
    ...(permission === undefined ? [] : [`Permission: \`${permission}\`.`]),
    ...(sandboxOnly ? ["In the sandbox only."] : []),
    ...(operation["x-person"] ? [`Who: a signed-in person, through the console${howFresh(operation)}.`] : []),
    ...(emits.length === 0 ? [] : [`Causes: ${emits.map((type) => `[\`${type}\`](event:${type})`).join(", ")}.`]),
  ].join(" ");
}

function howFresh({ "x-fresh-sign-in": seconds }: Operation): string {
  return seconds === undefined ? "" : `, who signed in within ${secondsInWords(seconds)}`;
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

/** The fields of the success, and a line with its codes for each failure. */
function renderResponses(openapi: OpenApi, { responses = {}, "x-problems": problems = [] }: Operation): string {
  return Object.entries(responses)
    .map(([status, reference]) => {
      const { description = "", content = {} } = resolve(openapi, reference);
      const schema = content["application/json"]?.schema;
      const fields = /^2/.test(status) && schema ? `\n\n${fieldsTable(listFields(openapi, schema))}\n` : "";
      const codes = problems.filter((code) => String(problemCodes[code].status) === status);
      const links = codes.map((code) => ` [\`${code}\`](error:${code})`).join();
      return `- \`${status}\`${links}: ${description.replaceAll(/\s+/g, " ").trim()}${fields}`;
    })
    .join("\n");
}

function demoteHeadings(text: string, levels: number): string {
  return text.replaceAll(/^#+ /gm, (marks) => "#".repeat(levels) + marks);
}
