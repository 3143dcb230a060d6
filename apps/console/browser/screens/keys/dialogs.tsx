import type { DataOf, ItemOf } from "../../data/calls.ts";
import { listOpened } from "../../data/permissions.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import type { Choice, Values } from "../../parts/fields/field-input.tsx";
import { Ago } from "../../parts/shown/time.tsx";
import { useCallsOf } from "./calls-of-keys.ts";

type ApiKey = ItemOf<"listApiKeys">;
type Made = DataOf<"createApiKey">;

const permissions: readonly Choice[] = [
  { value: "read", label: "Read", hint: "Sees everything of the account but what only admins see. Changes nothing." },
  { value: "write", label: "Write", hint: "Also moves money and manages webhooks." },
  { value: "admin", label: "Admin", hint: "Also manages keys, people and applications." },
];

const lives: readonly Choice[] = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
];

export function CreateKey({ onClose, onMade }: { onClose(): void; onMade(made: Made): void }) {
  return (
    <ActionDialog<"createApiKey">
      title="Create an API key"
      fields={[
        {
          name: "name",
          label: "Name",
          kind: "text",
          hint: "The program that will use it.",
          placeholder: "Billing worker",
        },
        { name: "permission", label: "Permission", kind: "radio", choices: permissions },
        { name: "expiresAt", label: "Expires", kind: "select", choices: lives },
      ]}
      initial={{ permission: "read" }}
      submit="Create key"
      preview={(values) => <Opened values={values} />}
      callOf={({ name = "", permission = "read", expiresAt: days = "" }) => {
        if (name.trim() === "") {
          throw new Error("Give the key a name, so that you know it again.");
        }
        return {
          operationId: "createApiKey",
          body: { name: name.trim(), permission, ...(days !== "" && { expiresAt: dayAfter(Number(days)) }) },
        };
      }}
      done={null}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
    />
  );
}

/** To the hour, so that the call that is shown stays the same while it is looked at. */
function dayAfter(days: number): string {
  const hourMs = 3_600_000;
  return new Date((Math.ceil(Date.now() / hourMs) + days * 24) * hourMs).toISOString();
}

/** The operations that a key of this permission opens, from the table that the gateway enforces. */
function Opened({ values: { permission = "read" } }: { values: Values }) {
  const opened = listOpened(permission as ApiKey["permission"]);
  const services = Map.groupBy(opened, ({ row }) => row.service);
  return (
    <div className="opened">
      <h3>Opens {opened.length} operations</h3>
      <div className="opened-list" tabIndex={0} role="region" aria-label="Operations that it opens">
        {[...services].map(([service, operations]) => (
          <section key={service}>
            <h4>{service}</h4>
            <ul>
              {operations.map(({ operationId, row }) => (
                <li key={operationId} data-permission={row.permission}>
                  <code>{row.method.toUpperCase()}</code> {row.summary}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

const overlaps: readonly Choice[] = [
  { value: "0", label: "Stops at once", hint: "For a key that leaked." },
  { value: "3600", label: "Works for one more hour" },
  { value: "86400", label: "Works for one more day" },
];

export function RollKey({ apiKey, onClose, onMade }: { apiKey: ApiKey; onClose(): void; onMade(made: Made): void }) {
  return (
    <ActionDialog<"rollApiKey">
      title={`Roll ${apiKey.name}`}
      fields={[{ name: "overlapSeconds", label: "The old key", kind: "radio", choices: overlaps }]}
      initial={{ overlapSeconds: "3600" }}
      submit="Roll key"
      isDangerous={({ overlapSeconds }) => overlapSeconds === "0"}
      name={apiKey.name}
      callOf={({ overlapSeconds }) => ({
        operationId: "rollApiKey",
        path: { apiKeyId: apiKey.id },
        body: { overlapSeconds: Number(overlapSeconds) },
      })}
      done={null}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
    >
      <Breaks apiKey={apiKey} />
      A successor with the same name and permission is made and shown once. During the overlap both work.
    </ActionDialog>
  );
}

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { id, name } = apiKey;
  return (
    <ActionDialog<"revokeApiKey">
      title={`Revoke ${name}`}
      submit="Revoke key"
      isDangerous
      name={name}
      callOf={() => ({ operationId: "revokeApiKey", path: { apiKeyId: id } })}
      done={`${name} is revoked.`}
      onClose={onClose}
    >
      <Breaks apiKey={apiKey} />
      Every call with it is refused within a second, for good.
    </ActionDialog>
  );
}

/** What stops when the key does. */
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
