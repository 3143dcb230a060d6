import type { DataOf, ItemOf } from "../../data/calls.ts";
import { listOpened } from "../../data/permissions.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";
import { OpenedOperations } from "../../parts/dialog/opened-operations.tsx";
import { choicesOf, requiredText, type Choice } from "../../parts/fields/field-input.tsx";
import { Ago } from "../../parts/shown/values.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type ApiKey = ItemOf<"listApiKeys">;
type OnMade = { onMade(made: DataOf<"createApiKey">): void };

const permissions: readonly Choice[] = [
  {
    value: "read",
    label: "Read",
    hint: "Sees everything in the account except what only admins see. Changes nothing.",
  },
  { value: "write", label: "Write", hint: "Also moves money and manages webhooks." },
  { value: "admin", label: "Admin", hint: "Also manages keys, people and applications." },
];

const lives: readonly Choice[] = [
  { value: "", label: "Never" },
  ...choicesOf({ "7": "In 7 days", "30": "In 30 days", "90": "In 90 days" }),
];

export const createKey = ({ onMade }: OnMade): Act =>
  act("createApiKey", {
    ...{ do: "create", label: "Create key" },
    ...{ title: "Create an API key", submit: "Create key", done: null },
    fields: [
      {
        ...{ name: "name", label: "Name", kind: "text", placeholder: "Billing worker" },
        hint: "The program that will use it.",
      },
      { name: "permission", label: "Permission", kind: "radio", choices: permissions },
      { name: "expiresAt", label: "Expires", kind: "select", choices: lives },
    ],
    initial: { permission: "read" },
    // The cast holds because the choices are those of the document.
    preview: ({ permission = "read" }) => <Opened permission={permission as ApiKey["permission"]} />,
    bodyOf: ({ name, permission = "read", expiresAt: days = "" }) => ({
      name: requiredText(name, "Give the key a name, so that you know it again."),
      ...{ permission, ...(days !== "" && { expiresAt: dayAfter(Number(days)) }) },
    }),
    onDone: ({ data }) => onMade(data),
  });

/** Rounded to the hour, so that the shown call stays the same while it is read. */
function dayAfter(days: number): string {
  const hourMs = 3_600_000;
  return new Date((Math.ceil(Date.now() / hourMs) + days * 24) * hourMs).toISOString();
}

/** The operations that a key of this permission opens, from the table that the gateway enforces. */
function Opened({ permission }: Pick<ApiKey, "permission">) {
  const rows = listOpened(permission).map(({ row }) => row);
  return (
    <div className="opened">
      <OpenedOperations verb="Opens" label="Operations that it opens" rows={rows} isByService />
    </div>
  );
}

const overlaps: readonly Choice[] = [
  { value: "0", label: "Stops at once", hint: "For a key that leaked." },
  ...choicesOf({ "3600": "Works for one more hour", "86400": "Works for one more day" }),
];

export function actsOf(apiKey: ApiKey, { onMade, whose }: OnMade & { whose: Act["label"] }): readonly Act[] {
  const { id, name, status, replacedBy } = apiKey;
  const unavailable = status === "active" ? null : `It is ${status}.`;
  const label = (text: string) => (
    <>
      {text}
      {whose}
    </>
  );
  return [
    act("rollApiKey", {
      ...{ do: "roll", label: label("Roll"), id, name },
      unavailable: unavailable ?? (replacedBy === null ? null : "It is rolled already."),
      isDangerous: ({ overlapSeconds }) => overlapSeconds === "0",
      ...{ title: `Roll ${name}`, submit: "Roll key", done: null },
      fields: [{ name: "overlapSeconds", label: "The old key", kind: "radio", choices: overlaps }],
      initial: { overlapSeconds: "3600" },
      bodyOf: ({ overlapSeconds }) => ({ overlapSeconds: Number(overlapSeconds) }),
      onDone: ({ data }) => onMade(data),
      text: (
        <>
          <Breaks apiKey={apiKey} />
          A successor with the same name and permission is made and shown once. During the overlap both work.
        </>
      ),
    }),
    act("revokeApiKey", {
      ...{ do: "revoke", label: label("Revoke"), kind: "danger", id, name, unavailable },
      ...{ title: `Revoke ${name}`, submit: "Revoke key", done: `${name} is revoked.` },
      text: (
        <>
          <Breaks apiKey={apiKey} />
          Every call with it is refused within a second, for good.
        </>
      ),
    }),
  ];
}

function Breaks({ apiKey: { id, lastUsedAt } }: { apiKey: ApiKey }) {
  const calls = useCallsOf(id);
  return (
    <p>
      {calls !== null && (
        <>
          <strong>{calls.toLocaleString("en")}</strong> {calls === 1 ? "call" : "calls"} with this key in 24 h.{" "}
        </>
      )}
      It was last used <Ago at={lastUsedAt} />.
    </p>
  );
}

/** The calls of a key in 24 hours, in one read for all. Null: not known, because only twenty callers are told apart. */
export function useCallsOf(id: string): number | null {
  const { data } = useCall({ operationId: "getUsage", query: { groupBy: "caller" } }, { everyMs: 60_000 });
  const series = data?.data.series ?? [];
  const found = series.find(({ group }) => group?.caller === id)?.count;
  const isWhole = data !== undefined && series.every(({ group }) => group !== null);
  return found ?? (isWhole ? 0 : null);
}
