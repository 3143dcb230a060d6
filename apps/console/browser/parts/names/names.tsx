import { useQuery } from "@tanstack/react-query";
import { idPrefixes } from "virtual:id-prefixes";
import { callApi, type Call, type ItemOf, pathOf, type OperationId } from "../../data/calls.ts";
import { whyNot } from "../../data/permissions.ts";
import { CopyIdButton, IdLink } from "../shown/values.tsx";
import type { Choice } from "../fields/field-input.tsx";
import type { ScreenPath } from "../page/destination.ts";
import { useSession } from "../page/session-context.tsx";
import { useCall } from "../call/use-call.ts";

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

/** Names change seldom, and owners are notified when the address book changes, so a response serves for a minute. */
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

type Actor = {
  id: string | null;
  /** The kind of the actor, as operations call it: `apiKey`, `person`, `system`. */
  type?: string;
  kind?: string;
  applicationId?: string | null;
  personId?: string | null;
};

/** The actor who did or requested something. The kind precedes the name; for a person only with `hasKind`. */
export function Who({ who, hasKind = false }: { who: Actor | null; hasKind?: boolean }) {
  const kind = who?.type ?? who?.kind ?? "unknown";
  if (who === null || who.id === null) {
    return <span>{kind}</span>;
  }
  const { id, applicationId, personId } = who;
  const noun = nounOf(id);
  return (
    <span>
      {(hasKind || noun !== "person") && `${kind === "apiKey" ? "key" : kind} `}
      {noun === null ? <code>{id}</code> : <NameLink noun={noun} id={id} />}
      {applicationId && applicationId !== "console" && (
        <>
          {" "}
          by <NameLink noun="application" id={applicationId} />
        </>
      )}
      {personId && personId !== id && (
        <>
          {" "}
          for <NameLink noun="person" id={personId} />
        </>
      )}
    </span>
  );
}

type AddressOptions = { destinationAddress: string; network: string };

/** An address within a row: its name in the address book, or its two ends. */
export function AddressName({ of: { destinationAddress, network } }: { of: AddressOptions }) {
  const book = useCall({ operationId: "listAddressBook" }, { isWhole: true, everyMs: 0, freshMs });
  const entry = book.data?.data.find((one) => one.network === network && one.address === destinationAddress);
  return (
    <span className="name cut" title={destinationAddress}>
      {entry === undefined ? <code>{shortened(destinationAddress)}</code> : <bdi>{entry.name}</bdi>}
    </span>
  );
}

function shortened(address: string): string {
  return address.length > 20 ? `${address.slice(0, 10)}…${address.slice(-8)}` : address;
}

/** The names of keys and applications, by id. A person who may not list them sees ids. */
export function useCallerNames(): ReadonlyMap<string, string> {
  const choices = [...useNameChoices("apiKey"), ...useNameChoices("application")];
  return new Map(choices.map(({ value, label }) => [value, label]));
}

/** The kind and the end of an id, which tell two apart: `wal_…q2c3d4`. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`;
}
