import { useQuery } from "@tanstack/react-query";
import { idPrefixes } from "virtual:id-prefixes";
import { callApi, type Call, type ItemOf } from "../../data/calls.ts";
import { pathOf } from "../../data/operations.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { whyNot } from "../../data/permissions.ts";
import { shortId } from "../../data/short-id.ts";
import { CopyIdButton } from "../shown/copy-button.tsx";
import type { Choice } from "../fields/field-input.tsx";
import type { ScreenPath } from "../page/destination.ts";
import { useSession } from "../page/session-context.tsx";
import { useCall } from "../call/use-call.ts";
import { IdLink } from "../shown/id-link.tsx";

type Item = { readonly id: string };

type NounRow = {
  readonly to: ScreenPath;
  readonly list: OperationId;
  readonly get: OperationId;
  nameOf(item: Item): string;
  moreOf(item: Item): string;
};

function row<Id extends OperationId>({
  nameOf,
  moreOf = () => "",
  ...rest
}: Omit<NounRow, "list" | "nameOf" | "moreOf"> & {
  list: Id;
  nameOf(item: ItemOf<Id>): string;
  moreOf?(item: ItemOf<Id>): string;
}): NounRow {
  // The cast holds because the functions only receive items of this row's own list.
  return { ...rest, nameOf: nameOf as NounRow["nameOf"], moreOf: moreOf as NounRow["moreOf"] };
}

/** The nouns whose objects have names. Names of people, keys and applications are for owners; others see ids. */
const nouns = {
  wallet: row({
    ...{ to: "/wallets", list: "listWallets", get: "getWallet" },
    nameOf: ({ name }) => name,
    moreOf: ({ currency }) => currency,
  }),
  counterparty: row({
    ...{ to: "/counterparties", list: "listCounterparties", get: "getCounterparty" },
    nameOf: ({ name }) => name,
    moreOf: ({ currency, accountNumberLast4 }) => `${currency} …${accountNumberLast4}`,
  }),
  webhook: row({
    ...{ to: "/webhooks", list: "listWebhooks", get: "getWebhook" },
    nameOf: ({ description, url }) => description ?? new URL(url).host,
  }),
  person: row({
    ...{ to: "/people", list: "listPeople", get: "getPerson" },
    nameOf: ({ name, email }) => name ?? email,
  }),
  apiKey: row({
    ...{ to: "/keys", list: "listApiKeys", get: "getApiKey" },
    nameOf: ({ name }) => name,
  }),
  application: row({
    ...{ to: "/applications", list: "listOauthApplications", get: "getOauthApplication" },
    nameOf: ({ name }) => name,
  }),
} as const satisfies Readonly<Record<string, NounRow>>;

export type Noun = keyof typeof nouns;

/** The noun of an id, by its prefix. Null when its objects have no name. */
export function nounOf(id: string): Noun | null {
  const schema = idPrefixes[id.slice(0, 3)] ?? "";
  const noun = schema.slice(0, 1).toLowerCase() + schema.slice(1);
  return isNoun(noun) ? noun : null;
}

function isNoun(name: string): name is Noun {
  return name in nouns;
}

/** A name changes seldom, so a response serves for a minute. */
const freshMs = 60_000;

/** All objects of a noun, as far as `wholeOf` reads. One read serves all names on the page. */
function useNamed(noun: Noun, isWanted = true) {
  const { list } = nouns[noun];
  const session = useSession();
  const mayList = whyNot(session, list) === null;
  const call: Call = { operationId: list };
  const asked = useCall(call, { isWanted: isWanted && mayList, isWhole: true, everyMs: 0, freshMs });
  // The cast holds because it is a list of the noun.
  return { mayList, items: asked.data?.data as readonly Item[] | undefined };
}

/** The name of an object within a row that is itself a link, or its id while the name is unknown. */
export function Name({ noun, id }: { noun: Noun; id: string }) {
  const { items } = useNamed(noun);
  const found = items?.find((item) => item.id === id);
  return (
    <span className="name cut" title={id}>
      {found === undefined ? <code>{shortId(id)}</code> : <bdi>{nouns[noun].nameOf(found)}</bdi>}
    </span>
  );
}

/** The name of an object, or null while it is unknown. An object older than the list is read on its own. */
export function useNameOf(noun: Noun, id: string | null): string | null {
  const { get, nameOf } = nouns[noun];
  const { mayList, items } = useNamed(noun, id !== null);
  const listed = items?.find((item) => item.id === id);
  const older = useQuery({
    queryKey: ["older", id],
    queryFn: ({ signal }) => callApi({ operationId: get, path: pathOf(get, id ?? "") }, { signal }),
    enabled: id !== null && mayList && items !== undefined && listed === undefined,
    staleTime: Infinity,
  });
  // The cast holds because the response comes from the noun's own operation.
  const found = listed ?? (older.data?.data as Item | undefined);
  return found === undefined ? null : nameOf(found);
}

export function NameLink({ noun, id }: { noun: Noun; id: string }) {
  const name = useNameOf(noun, id);
  return (
    <span className="name-link">
      <IdLink to={nouns[noun].to} open={id} text={name !== null && <bdi title={id}>{name}</bdi>} />
      <CopyIdButton id={id} />
    </span>
  );
}

/** The objects that a filter can choose, by name. Other values of the address stay in it. */
export function useNameChoices(noun: Noun): readonly Choice[] {
  const { nameOf, moreOf } = nouns[noun];
  const { items = [] } = useNamed(noun);
  return items.map((item) => ({
    value: item.id,
    label: [nameOf(item), moreOf(item)].filter(Boolean).join(" · "),
  }));
}
