import type { DataOf } from "../../data/calls.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Who } from "../../parts/names/names.tsx";
import { CopyableId, Ago, Time, Facts } from "../../parts/shown/values.tsx";
import { editApplication, registerApplication } from "./application-form.tsx";

type Application = DataOf<"getOauthApplication">;

export function ApplicationsScreen() {
  return (
    <ListScreen
      title="OAuth applications"
      about="Programs that ask people to let them act for them."
      operationId="listOauthApplications"
      create={registerApplication}
      columns={[
        { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
        { label: "Scopes", slot: "meta", cell: ({ scopes }) => <span className="faint">{scopes.join(" ")}</span> },
        { label: "People", slot: "wide", isNumber: true, cell: ({ peopleCount }) => peopleCount },
        { label: "Used", slot: "end", cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
      ]}
      empty={{
        title: "No applications yet",
        text: (
          <>
            Register a program, and its id is the <code>client_id</code> that it begins OAuth with. There is no secret
            to keep.
          </>
        ),
      }}
      pane={detailOf("getOauthApplication", ApplicationPane)}
    />
  );
}

function ApplicationPane({ of: application }: { of: Application }) {
  const { id, name, redirectUris, scopes, peopleCount } = application;
  const { logoUri, websiteUrl, createdAt, createdBy, lastUsedAt } = application;
  const whose = peopleCount === 1 ? "1 person" : `${peopleCount} people`;
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Actions
        of={[
          editApplication(application),
          act("deleteOauthApplication", {
            ...{ do: "delete", label: "Delete", kind: "danger", id, name },
            ...{ title: `Delete ${name}`, submit: "Delete application", done: "The application is deleted." },
            text: (
              <>
                {peopleCount === 0 ? "No person has allowed it yet. " : `${whose} gave it access. `}
                It loses all access: its tokens are refused within a second, and it cannot ask again.
              </>
            ),
          }),
        ]}
      />
      <Facts
        rows={[
          ["client_id", <CopyableId key="id" id={id} />],
          [
            "Redirect URIs",
            <ul key="uris" className="plain-list">
              {redirectUris.map((uri) => (
                <li key={uri}>
                  <code className="break">{uri}</code>
                </li>
              ))}
            </ul>,
          ],
          ["Scopes", scopes.join(" ")],
          ["Secret", "none: it proves itself by PKCE, so there is nothing to leak"],
          ["People who gave access", String(peopleCount)],
          ["Last used", <Ago key="used" at={lastUsedAt} />],
          ["Website", websiteUrl === null ? null : <bdi key="site">{websiteUrl}</bdi>],
          ["Logo", logoUri === null ? null : <bdi key="logo">{logoUri}</bdi>],
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={createdBy} />],
        ]}
      />
    </>
  );
}
