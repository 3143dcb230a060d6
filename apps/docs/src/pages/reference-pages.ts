import { problemCodes, type ProblemCode } from "@gateway/contract";
import { secondsInWords } from "@gateway/kernel";
import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { createCodeSamples } from "../reference/code-samples.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi } from "../reference/open-api.ts";
import { operationAnchor, sectionAnchor, tagAnchor } from "../reference/operation-anchor.ts";
import type { Page, ReferencePart } from "./page.ts";
import { fieldsTable, listFields, typeName } from "./schema-fields.ts";

/**
 * A reference page per document: its own text, and every operation with its permission, parameters, body, responses, and how it is
 * called.
 */
export function createReferencePages(documents: readonly ApiDocument[]): Page[] {
  return documents.map((document) => {
    const { name, openapi } = document;
    const { title, version, summary = title } = openapi.info;
    const parts = [...listSections(document), ...listTags(document)].map((part) => ({
      ...part,
      markdown: spellOutDocumentLinks(part.markdown, name),
    }));
    const intro = [`# ${title} reference`, `${summary} Version ${version}.`, renderServers(document)];
    return {
      path: `reference/${name}`,
      kind: "reference",
      section: "reference",
      title: `${title} reference`,
      description: `${summary} Every operation with its parameters, body and responses.`,
      markdown: `${joinParts([...intro, ...parts.flatMap(({ markdown, samples }) => [markdown, samples])])}\n`,
      sources: ["openapi"],
      parts,
    };
  });
}

/** A server of one service is named once that service has an operation. */
function renderServers({ openapi: { servers = [] }, operations }: ApiDocument): string {
  const services = new Set(operations.map(({ service }) => service));
  const rows = servers
    .filter(({ "x-service": service }) => service === undefined || services.has(service))
    .map(({ url, description = "" }) => `| ${description} | \`${url}\` |`);
  return ["| Server | Address |", "|---|---|", ...rows].join("\n");
}

/** What the document says of all its operations, a part for each of its headings. */
function listSections({ openapi }: ApiDocument): ReferencePart[] {
  const [, ...sections] = `\n${openapi.info.description ?? ""}`.split(/^# /m);
  return sections.map((text) => {
    const [title = ""] = text.split("\n", 1);
    const markdown = `## ${demoteHeadings(text, 1).trim()}`;
    return { kind: "section", anchor: sectionAnchor(title).slice(1), title, markdown, samples: "" };
  });
}

function listTags(document: ApiDocument): ReferencePart[] {
  return (document.openapi.tags ?? []).flatMap(({ name, description = "" }) => {
    const own = document.operations.filter(({ tags }) => tags?.includes(name));
    const markdown = joinParts([`## ${name}`, description]);
    const tag: ReferencePart = { kind: "tag", anchor: tagAnchor(name).slice(1), title: name, markdown, samples: "" };
    return own.length === 0 ? [] : [tag, ...own.map((operation) => createOperationPart(document, operation))];
  });
}

function createOperationPart(document: ApiDocument, operation: Operation): ReferencePart {
  const { name, openapi } = document;
  const { operationId, summary = operationId, method, path, description = "" } = operation;
  const samples = createCodeSamples(document, operation).map(({ lang, source }) => `\`\`\`${lang}\n${source}\n\`\`\``);
  return {
    kind: "operation",
    anchor: operationAnchor(operation).slice(1),
    title: summary,
    markdown: joinParts([
      `### ${summary}`,
      `\`${method} ${path}\``,
      renderDirectServers(operation),
      description,
      renderPermission(operation),
      renderParameters(openapi, operation),
      renderBody(openapi, operation),
      renderResponses(openapi, operation),
    ]),
    samples: joinParts([...samples, renderExample(openapi, operation)]),
    // Of the identity provider there is nothing to try: its operations are those of OAuth, for applications.
    ...(name === "gateway" && { operationId }),
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

/** The first answer that the document shows for a success. */
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

/** The shape of the success; of the failures one line each, with their codes. */
function renderResponses(openapi: OpenApi, { responses = {}, "x-problems": problems = [] }: Operation): string {
  return Object.entries(responses)
    .map(([status, reference]) => {
      const { description = "", content = {} } = resolve(openapi, reference);
      const schema = content["application/json"]?.schema;
      const fields = /^2/.test(status) && schema ? `\n\n${fieldsTable(listFields(openapi, schema))}\n` : "";
      const codes = problems.filter((code) => String(problemCodes[code as ProblemCode].status) === status);
      const links = codes.map((code) => ` [\`${code}\`](error:${code})`).join();
      return `- \`${status}\`${links}: ${description.replaceAll(/\s+/g, " ").trim()}${fields}`;
    })
    .join("\n");
}

function demoteHeadings(text: string, levels: number): string {
  return text.replaceAll(/^#+ /gm, (marks) => "#".repeat(levels) + marks);
}
