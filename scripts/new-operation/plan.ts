import { readFields, type Field } from "./fields.ts";
import { Refusal, type Tree } from "./tree.ts";

/** Options as a person enters them. */
export type Answers = {
  service: string;
  noun: string;
  verb: string;
  permission: string;
  plural?: string | undefined;
  under?: string | undefined;
  prefix?: string | undefined;
  emits?: string | undefined;
  refuses?: string | undefined;
  takes?: string | undefined;
  shows?: string | undefined;
};

/** The noun that a collection is part of: the payment of refunds. */
export type Parent = {
  words: string;
  nouns: string;
  /** `paymentId`: the parameter of the path, and the field of each contained resource. */
  parameter: string;
  /** `PaymentId` */
  Id: string;
  column: string;
  prefix: string;
};

/** The operation to write, with every spelling of its names. */
export type Plan = {
  service: string;
  Service: string;
  verb: string;
  permission: string;
  emits: string | null;
  /** Further events, which the document has already. */
  alsoEmits: readonly string[];
  /** Fields that callers send. */
  takes: readonly Field[];
  /** All fields of a new noun in addition to its id, its parent, its state and its time. */
  fields: readonly Field[];
  /** Its own codes. */
  refuses: readonly string[];
  /** The method and the success status of the verb. */
  method: "get" | "post" | "patch" | "delete";
  status: 200 | 201;
  isById: boolean;
  hasBody: boolean;
  /** Whether the operation is the first of its noun. */
  isNew: boolean;
  /** Null for a collection of the account. */
  under: Parent | null;
  /** The first state of a new noun, when its creation causes an event; else it has no states. */
  firstState: string | null;
  operationId: string;
  /** `kyc-verification` */
  noun: string;
  nouns: string;
  /** `kycVerification` */
  name: string;
  names: string;
  /** `KycVerification` */
  Noun: string;
  Nouns: string;
  /** `kyc_verifications` */
  table: string;
  /** `kyc verification` */
  words: string;
  /** `kycVerificationId` */
  parameter: string;
  /** The first part of ids: `wal`. */
  prefix: string;
  /** `wallets_{walletId}_freeze` and `/api/v1/wallets/{walletId}/freeze` */
  file: string;
  url: string;
};

type Shape = Pick<Plan, "method" | "status" | "isById" | "hasBody">;

/** Any other verb is POST /{nouns}/{id}/<verb>. */
const verbs: Readonly<Record<string, Shape>> = {
  list: { method: "get", status: 200, isById: false, hasBody: false },
  get: { method: "get", status: 200, isById: true, hasBody: false },
  create: { method: "post", status: 201, isById: false, hasBody: true },
  update: { method: "patch", status: 200, isById: true, hasBody: true },
  delete: { method: "delete", status: 200, isById: true, hasBody: false },
};
const action: Shape = { method: "post", status: 200, isById: true, hasBody: false };

const kebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const schemas = "openapi/components/schemas";

/** Whether the noun has ids in the document already. Otherwise their prefix is requested. */
export function hasIds(tree: Tree, { service, noun }: Pick<Answers, "service" | "noun">): boolean {
  return tree.has(`${schemas}/${service}/${pascal(noun)}Id.yaml`);
}

export function readPlan(
  answers: Answers,
  known: { tree: Tree; services: readonly string[]; taken: readonly string[] },
): Plan {
  const { service, noun, verb, permission, plural = pluralOf(noun) } = answers;
  const [emits = null, ...alsoEmits] = readEvents(answers, known.tree);
  const refuses = answers.refuses?.split(",") ?? [];
  refuseUnless(
    known.services.includes(service),
    `There is no service "${service}": the services are ${known.services.join(", ")}.`,
  );
  for (const [option, value] of Object.entries({ noun, verb, plural })) {
    refuseUnless(kebab.test(value), `--${option} is "${value}" and must be in kebab-case, such as api-key.`);
  }
  refuseUnless(
    ["read", "write", "admin"].includes(permission),
    `--permission is "${permission}" and must be read, write or admin.`,
  );
  const shape = verbs[verb] ?? action;
  refuseUnless(
    permission !== "read" || shape.method === "get",
    `${verb} changes something, so its permission is write or admin.`,
  );
  refuseUnless(emits === null || shape.method !== "get", `${verb} changes nothing, so it causes no event.`);
  const isCodes = refuses.every((code) => /^[A-Z]+(?:_[A-Z]+)*$/.test(code));
  refuseUnless(
    isCodes,
    `--refuses is "${answers.refuses}" and must be codes with commas between them, such as LAST_OWNER.`,
  );
  const isOfCollection = verb === "list" || verb === "create";
  refuseUnless(
    answers.under === undefined || isOfCollection,
    `--under is for list and create: ${a(noun)} is found by its own id, whatever it is part of.`,
  );
  const under = answers.under === undefined ? null : parentOf(answers.under, { service, tree: known.tree });
  const isNew = !hasIds(known.tree, answers);
  const isBeginning = verb === "create" && emits !== null && isNew;
  const firstState = isBeginning ? (emits.split(".").at(-1) ?? null) : null;
  const plan = {
    ...{ service, verb, permission, emits, alsoEmits, refuses, isNew, under, firstState },
    ...fieldsOf(answers, { shape, isCreation: isNew && verb === "create", tree: known.tree }),
    ...shape,
    ...namesOf(noun, plural, known.tree),
  };
  const operationId = operationIdOf(plan);
  refuseUnless(!known.taken.includes(operationId), `There is an operation ${operationId} already.`);
  const prefix = prefixOf(answers, known.tree);
  const above = under ? [under.nouns, `{${under.parameter}}`] : [];
  const steps = [
    ...above,
    plan.nouns,
    ...(shape.isById ? [`{${plan.parameter}}`] : []),
    ...(shape === action ? [verb] : []),
  ];
  return {
    ...plan,
    Service: pascal(service),
    operationId,
    prefix,
    file: steps.join("_"),
    url: `/api/v1/${steps.join("/")}`,
  };
}

function readEvents(answers: Answers, tree: Tree): string[] {
  const types = answers.emits?.split(",") ?? [];
  for (const [index, type] of types.entries()) {
    const isType = /^[a-z_]+(?:\.[a-z_]+)+$/.test(type);
    refuseUnless(isType, `--emits is "${type}" and must be a type of event, such as wallet.frozen.`);
    const isPossible = index === 0 || tree.has(`openapi/webhooks/${type}.yaml`);
    refuseUnless(isPossible, `--emits has "${type}", and only its first event may be new.`);
  }
  return types;
}

function fieldsOf(
  answers: Answers,
  { shape, isCreation, tree }: { shape: Shape; isCreation: boolean; tree: Tree },
): Pick<Plan, "takes" | "fields"> {
  const { service, verb } = answers;
  const takes = readFields(answers.takes, { option: "takes", service, tree });
  const shows = readFields(answers.shows, { option: "shows", service, tree });
  refuseUnless(takes.length === 0 || shape.hasBody, `--takes is for create and update: ${verb} has no body.`);
  refuseUnless(shows.length === 0 || isCreation, "--shows is for the creation of a new noun.");
  return { takes, fields: isCreation ? [...takes, ...shows] : [] };
}

/** A noun of the same service that has a path by its id. */
function parentOf(noun: string, { service, tree }: { service: string; tree: Tree }): Parent {
  const nouns = pluralOf(noun);
  const file = tree.list("openapi/paths").find((name) => new RegExp(`^${nouns}_\\{\\w+\\}\\.yaml$`).test(name));
  refuseUnless(file !== undefined, `--under is "${noun}", and the document has no path /${nouns}/{id}.`);
  const [, owner = ""] = /^x-service: (.+)$/m.exec(tree.read(`openapi/paths/${file}`)) ?? [];
  refuseUnless(
    owner === service,
    `--under is "${noun}", which belongs to ${owner}: its parts belong to the same service.`,
  );
  const parameter = file.split(/[{}]/)[1] ?? "";
  const Id = pascal(parameter);
  const prefix = prefixIn(tree, `${schemas}/${service}/${Id}.yaml`);
  const column = `${noun.replaceAll("-", "_")}_id`;
  return { words: noun.replaceAll("-", " "), nouns, parameter, Id, column, prefix };
}

function namesOf(noun: string, nouns: string, tree: Tree) {
  const item = tree.list("openapi/paths").find((file) => file.startsWith(`${nouns}_{`));
  const parameter = item?.split(/[{}]/)[1] ?? `${camel(noun)}Id`;
  const spellings = { name: camel(noun), names: camel(nouns), Noun: pascal(noun), Nouns: pascal(nouns) };
  return { noun, nouns, ...spellings, parameter, table: nouns.replaceAll("-", "_"), words: noun.replaceAll("-", " ") };
}

/** `createWallet`, `listWallets`, and `rollWebhookSecret` for roll-secret. */
function operationIdOf({ verb, Noun, Nouns }: Pick<Plan, "verb" | "Noun" | "Nouns">): string {
  const [first = "", ...rest] = verb.split("-");
  return first + (verb === "list" ? Nouns : Noun) + rest.map(pascal).join("");
}

function prefixOf(answers: Answers, tree: Tree): string {
  if (hasIds(tree, answers)) {
    return prefixIn(tree, `${schemas}/${answers.service}/${pascal(answers.noun)}Id.yaml`);
  }
  const { prefix = "" } = answers;
  refuseUnless(
    /^[a-z]{3}$/.test(prefix),
    `--prefix is "${prefix}" and must be three letters that ids of a new noun begin with.`,
  );
  return prefix;
}

function prefixIn(tree: Tree, schema: string): string {
  return /pattern: "\^([a-z]+)_/.exec(tree.read(schema))?.[1] ?? "";
}

function refuseUnless(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new Refusal(message);
  }
}

export function a(words: string): string {
  return `${/^[aeio]/.test(words) ? "an" : "a"} ${words}`;
}

export function A(words: string): string {
  return a(words).replace("a", "A");
}

function pluralOf(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

export function camel(text: string): string {
  return text.replaceAll(/[-._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + camel(text).slice(1);
}
