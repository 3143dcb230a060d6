import type { DataOf } from "../../data/calls.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";
import { plainChoices, type Field, type Values } from "../../parts/fields/field-input.tsx";

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

const form = { fields, preview: (values: Values) => <Consent values={values} />, bodyOf };

export const registerApplication = act("createOauthApplication", {
  ...{ ...form, do: "create", label: "Register application" },
  ...{ title: "Register an application", submit: "Register", done: "The application is registered." },
  initial: { scopes: "openid email read" },
});

export const editApplication = ({ id, name, redirectUris, scopes }: DataOf<"getOauthApplication">): Act =>
  act("updateOauthApplication", {
    ...{ ...form, do: "edit", label: "Edit", id },
    ...{ title: `Edit ${name}`, submit: "Save", done: "The application is changed." },
    initial: { name, redirectUris: redirectUris.join("\n"), scopes: scopes.join(" ") },
  });

function bodyOf({ name = "", redirectUris = "", scopes: chosen = "" }: Values) {
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
