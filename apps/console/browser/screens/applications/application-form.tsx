import type { DataOf } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { plainChoices, type Field, type Values } from "../../parts/fields/field-input.tsx";

type Application = DataOf<"getOauthApplication">;

const meanings: Readonly<Record<string, string>> = {
  openid: "Know who you are",
  email: "See your e-mail address",
  profile: "See your name",
  read: "See wallets, payments and events",
  write: "Move money and manage webhooks",
  admin: "Manage keys, people and applications",
};

const fields: readonly Field[] = [
  { name: "name", label: "Name", kind: "text", hint: "People read it when they are asked for consent." },
  {
    name: "redirectUris",
    label: "Redirect URIs",
    kind: "area",
    isCode: true,
    hint: "One a line. Compared letter by letter.",
    placeholder: "https://app.example.com/callback",
  },
  { name: "scopes", label: "Scopes it may ask for", kind: "checks", choices: plainChoices(Object.keys(meanings)) },
];

export function ApplicationForm({ application, onClose }: { application?: Application; onClose(): void }) {
  const isNew = application === undefined;
  return (
    <ActionDialog<"createOauthApplication" | "updateOauthApplication">
      title={isNew ? "Register an application" : `Edit ${application.name}`}
      fields={fields}
      initial={
        isNew
          ? { scopes: "openid email read" }
          : {
              name: application.name,
              redirectUris: application.redirectUris.join("\n"),
              scopes: application.scopes.join(" "),
            }
      }
      submit={isNew ? "Register" : "Save"}
      preview={(values) => <Consent values={values} />}
      callOf={(values) =>
        isNew
          ? { operationId: "createOauthApplication", body: bodyOf(values) }
          : { operationId: "updateOauthApplication", path: { applicationId: application.id }, body: bodyOf(values) }
      }
      done={isNew ? "The application is registered." : "The application is changed."}
      onClose={onClose}
    />
  );
}

function bodyOf({ name = "", redirectUris = "", scopes: chosen = "" }: Values): {
  name: string;
  redirectUris: string[];
  scopes: string[];
} {
  const uris = redirectUris.split(/\s+/).filter(Boolean);
  if (name.trim() === "" || uris.length === 0) {
    throw new Error("It needs a name and at least one redirect URI.");
  }
  return { name: name.trim(), redirectUris: uris, scopes: chosen.split(" ").filter(Boolean) };
}

/** The consent question, in the words that people read. */
function Consent({ values: { name = "", scopes: chosen = "" } }: { values: Values }) {
  return (
    <div className="consent">
      <h3>The consent question</h3>
      <p>
        Allow “<bdi>{name.trim() || "…"}</bdi>”?
      </p>
      <ul>
        {chosen
          .split(" ")
          .filter(Boolean)
          .map((scope) => (
            <li key={scope}>{meanings[scope] ?? scope}</li>
          ))}
      </ul>
    </div>
  );
}
