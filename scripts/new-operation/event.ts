import { exampleOf, idOf, madeAt } from "./example.ts";
import { A, pascal, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const components = "openapi/components";
const index = "openapi/openapi.yaml";

/** Writes an event that the document does not have yet. */
export function writeEvent(tree: Tree, plan: Plan, type: string): void {
  const { service, words } = plan;
  const happened = happenedAt(plan, type);
  const path = `openapi/webhooks/${type}.yaml`;
  const Event = `${pascal(type)}Event`;
  if (tree.has(path)) {
    // An event that an operation emits no longer has another cause. Another operation may emit it already.
    const cause = /^x-cause:.*\n(?: .*\n)*/m;
    if (cause.test(tree.read(path))) {
      tree.edit(path, cause, "");
    }
    return;
  }
  const when = happened ?? `Decide when ${type} happens.`;
  const types = `${components}/schemas/events/EventType.yaml`;
  tree.edit(index, /(?=^components:$)/m, `  ${type}:\n    $ref: webhooks/${type}.yaml\n`);
  tree.edit(types, /(?=^type: string$)/m, `  | \`${type}\` | ${when} |\n`);
  tree.edit(types, /(?=^examples:)/m, `  - ${type}\n`);
  // A webhook may request each type.
  const mostTypes = /(?<=^maxItems: )\d+$/m;
  const chosen = `${components}/schemas/events/EventTypes.yaml`;
  tree.edit(chosen, mostTypes, String(Number(mostTypes.exec(tree.read(chosen))?.[0]) + 1));
  tree.add(path, webhookOf(plan, type, Event));
  tree.add(`${components}/schemas/${service}/${Event}.yaml`, eventSchemaOf(plan, type));
  tree.add(
    `${components}/examples/${service}/${Event}.yaml`,
    `summary: ${happened === null ? `Decide what the example of ${type} shows.` : `${A(words)} at ${type}`}\nvalue:\n  id: ${idOf("evt")}\n  type: ${type}\n  created: "${madeAt}"\n  data:\n    object:\n      ${exampleOf(tree, plan).replaceAll("\n", "\n      ")}\n  livemode: false\n`,
  );
}

/** `A refund was created.` Null when the name of the event does not say what happened. */
export function happenedAt({ noun, words }: Pick<Plan, "noun" | "words">, type: string): string | null {
  const [, participle] = new RegExp(`^${noun.replaceAll("-", "_")}\\.([a-z_]+ed)$`).exec(type) ?? [];
  return participle === undefined ? null : `${A(words)} was ${participle.replaceAll("_", " ")}.`;
}

function webhookOf(plan: Plan, type: string, Event: string): string {
  const { service, words } = plan;
  const happened = happenedAt(plan, type);
  return `x-service: ${service}
post:
  operationId: receive${pascal(type)}
  tags: [Event types]
  summary: ${type}
  description: |-
    ${happened === null ? `Decide what ${type} tells its receiver, and what its object is.` : `${happened} The object is the ${words}.`}

    How to verify and answer it: [Webhooks](#section/Webhooks).
  security: []
  parameters:
    - $ref: ../components/parameters/events/ServiceSignature.yaml
    - $ref: ../components/parameters/events/CausingRequest.yaml
  requestBody:
    required: true
    content:
      application/json:
        schema:
          $ref: ../components/schemas/${service}/${Event}.yaml
        examples:
          plain:
            $ref: ../components/examples/${service}/${Event}.yaml
  responses:
    2XX:
      $ref: ../components/responses/events/EventTaken.yaml
    default:
      $ref: ../components/responses/events/EventNotTaken.yaml
`;
}

function eventSchemaOf(plan: Plan, type: string): string {
  const { Noun, words } = plan;
  const additions = "Fields may be added to the event and to its object: ignore those that you do not know.";
  const texts = {
    event: `${happenedAt(plan, type) ?? `Decide what happened at ${type}, in a sentence.`} ${additions}`,
    type: "The type of the event.",
    created: "When it happened.",
    data: `The ${words} of the event.`,
    object: `The ${words} as it is then.`,
  };
  return `description: >-
  ${texts.event}
type: object
additionalProperties: false
required: [id, type, created, data, livemode]
properties:
  id:
    $ref: ../events/EventId.yaml
  type:
    description: ${texts.type}
    type: string
    const: ${type}
    examples: [${type}]
  created:
    $ref: ../shared/Timestamp.yaml
    description: ${texts.created}
  data:
    description: ${texts.data}
    type: object
    additionalProperties: false
    required: [object]
    properties:
      object:
        $ref: ${Noun}.yaml
        description: ${texts.object}
  livemode:
    $ref: ../events/EventLivemode.yaml
`;
}
