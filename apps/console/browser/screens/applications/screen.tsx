import type { DataOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Ago, Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { Who } from "../../parts/names/who.tsx";
import { ApplicationForm } from "./application-form.tsx";

type Application = DataOf<"getOauthApplication">;

export function ApplicationsScreen() {
  const [what, setWhat] = useDo();
  const register = (
    <ActionButton operationId="createOauthApplication" kind="primary" onClick={() => setWhat("create")}>
      Register application
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="OAuth applications"
        about="Programs that ask people to let them act for them."
        operationId="listOauthApplications"
        query={() => ({})}
        idOf={({ id }) => id}
        actions={register}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
          { label: "Scopes", slot: "meta", cell: ({ scopes }) => <span className="faint">{scopes.join(" ")}</span> },
          { label: "People", slot: "wide", isNumber: true, cell: ({ peopleCount }) => peopleCount },
          { label: "Used", slot: "end", cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
        ]}
        empty={
          <Empty title="No applications yet" action={register}>
            Register a program, and its id is the <code>client_id</code> that it begins OAuth with. There is no secret
            to keep.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getOauthApplication", path: { applicationId: id } }}>
            {(application) => <ApplicationPane application={application} what={what} setWhat={setWhat} />}
          </Detail>
        )}
      />
      {what === "create" && <ApplicationForm onClose={() => setWhat(undefined)} />}
    </>
  );
}

type PaneOptions = { application: Application; what: string | undefined; setWhat(what: string | undefined): void };

function ApplicationPane({ application, what, setWhat }: PaneOptions) {
  const { id, name, redirectUris, scopes, logoUri, websiteUrl, createdAt, createdBy, peopleCount, lastUsedAt } =
    application;
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <div className="actions">
        <ActionButton operationId="updateOauthApplication" onClick={() => setWhat("edit")}>
          Edit
        </ActionButton>
        <ActionButton operationId="deleteOauthApplication" kind="danger" onClick={() => setWhat("delete")}>
          Delete
        </ActionButton>
      </div>
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
          ["People who let it in", String(peopleCount)],
          ["Last used", <Ago key="used" at={lastUsedAt} />],
          ["Website", websiteUrl === null ? null : <bdi key="site">{websiteUrl}</bdi>],
          ["Logo", logoUri === null ? null : <bdi key="logo">{logoUri}</bdi>],
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={createdBy} />],
        ]}
      />
      {what === "edit" && <ApplicationForm application={application} onClose={() => setWhat(undefined)} />}
      {what === "delete" && (
        <ActionDialog<"deleteOauthApplication">
          title={`Delete ${name}`}
          submit="Delete application"
          isDangerous
          name={name}
          callOf={() => ({ operationId: "deleteOauthApplication", path: { applicationId: id } })}
          done="The application is deleted."
          onClose={() => setWhat(undefined)}
        >
          {peopleCount === 0
            ? "Nobody let it in yet. "
            : `${peopleCount} ${peopleCount === 1 ? "person" : "people"} let it in. `}
          Everybody who let it in loses it: its tokens are refused within a second, and it cannot ask again.
        </ActionDialog>
      )}
    </>
  );
}
