import { ActionButton } from "../../parts/action-button.tsx";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { AsCode } from "../../parts/as-code.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { useSession } from "../../parts/session-context.tsx";
import { Failure, LoadingRows } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useCall } from "../../parts/use-call.ts";
import { useDo } from "../../parts/use-do.ts";

export function SettingsScreen() {
  const [what, setWhat] = useDo();
  const { addresses } = useSession();
  const account = useCall({ operationId: "getAccount" });
  if (account.data === undefined) {
    return (
      <div className="plain-screen">
        {account.isError ? <Failure error={account.error} retry={() => void account.refetch()} /> : <LoadingRows />}
      </div>
    );
  }
  const { id, name, email, tier, rateLimit, livemode, createdAt } = account.data.data;
  return (
    <div className="plain-screen">
      <ScreenHeader
        title="Settings"
        actions={
          <ActionButton operationId="updateAccount" onClick={() => setWhat("rename")}>
            Rename
          </ActionButton>
        }
      />
      <Facts
        rows={[
          ["Name", <bdi key="name">{name}</bdi>],
          ["Id", <CopyableId key="id" id={id} />],
          ["Address", <bdi key="email">{email}</bdi>],
          ["Tier", <Badge key="tier" state={tier} />],
          ["Rate limit", `${rateLimit.requestsPerMinute} requests a minute`],
          ["Environment", livemode ? "production" : "sandbox"],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
      <section className="block">
        <h2>You</h2>
        <p>
          Name, password, passkeys and devices are yours and not the account’s: they are{" "}
          <a href={`${addresses.identity}/account`} target="_blank" rel="noreferrer">
            at the identity provider
          </a>
          .
        </p>
      </section>
      <AsCode call={{ operationId: "getAccount" }} />
      {what === "rename" && (
        <ActionDialog<"updateAccount">
          title="Rename the account"
          fields={[
            {
              name: "name",
              label: "Name",
              kind: "text",
              hint: "People read it where they choose one of their accounts.",
            },
          ]}
          initial={{ name }}
          submit="Rename"
          callOf={({ name: next = "" }) => {
            if (next.trim() === "") {
              throw new Error("Give the account a name.");
            }
            return { operationId: "updateAccount", body: { name: next.trim() } };
          }}
          done="The account is renamed."
          onClose={() => setWhat(undefined)}
        />
      )}
    </div>
  );
}
