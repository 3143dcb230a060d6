import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { FailedPart, Failure, LoadingRows } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useDo } from "../../parts/page/use-do.ts";

export function SettingsScreen() {
  const [what, setWhat] = useDo();
  const { addresses } = useSession();
  const account = useCall({ operationId: "getAccount" });
  if (account.data === undefined) {
    return (
      <div className="plain-screen">
        <ScreenHeader title="Settings" />
        {account.isError ? <Failure error={account.error} retry={() => void account.refetch()} /> : <LoadingRows />}
      </div>
    );
  }
  const { id, name, email, pendingEmail, tier, rateLimit, livemode, createdAt } = account.data.data;
  return (
    <div className="plain-screen">
      <ScreenHeader
        title="Settings"
        actions={
          <>
            <ActionButton operationId="updateAccount" onClick={() => setWhat("rename")}>
              Rename
            </ActionButton>
            <ActionButton operationId="updateAccount" onClick={() => setWhat("email")}>
              Change address
            </ActionButton>
          </>
        }
      />
      <Facts
        rows={[
          ["Name", <bdi key="name">{name}</bdi>],
          ["Id", <CopyableId key="id" id={id} />],
          ["Address", <bdi key="email">{email}</bdi>],
          pendingEmail === null
            ? null
            : [
                "Waits for its link",
                <span key="pending">
                  <bdi>{pendingEmail}</bdi>{" "}
                  <span className="faint">We mailed it a link, which holds for 24 hours.</span>
                </span>,
              ],
          ["Tier", <Badge key="tier" state={tier} />],
          ["Rate limit", `${rateLimit.requestsPerMinute} requests a minute`],
          ["Peak of 30 days", <Peak key="peak" />],
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
      {what === "email" && <ChangeAddress email={email} onClose={() => setWhat(undefined)} />}
    </div>
  );
}

const dayMs = 86_400_000;

/** Of the requests that programs made, next to the limit that they have. */
function Peak() {
  // To the day, so that it stays one call.
  const today = Math.floor(Date.now() / dayMs);
  const since = new Date((today - 30) * dayMs).toISOString();
  const usage = useCall({ operationId: "getUsage", query: { interval: "day", since } });
  return usage.data === undefined ? (
    usage.isError ? (
      <FailedPart of={usage} />
    ) : (
      <span className="faint">…</span>
    )
  ) : (
    <span>{usage.data.data.peakPerMinute} requests in a minute</span>
  );
}

function ChangeAddress({ email, onClose }: { email: string; onClose(): void }) {
  return (
    <ActionDialog<"updateAccount">
      title="Change the address"
      fields={[{ name: "email", label: "E-mail address", kind: "text", hint: "We write there about the account." }]}
      submit="Mail the link"
      callOf={({ email: next = "" }) => {
        if (!next.includes("@")) {
          throw new Error("Write the new e-mail address.");
        }
        return { operationId: "updateAccount", body: { email: next.trim() } };
      }}
      done="The link is on its way."
      onClose={onClose}
    >
      The new address holds once the link is opened that we mail there. Until then it stays <bdi>{email}</bdi>. All
      owners are told.
    </ActionDialog>
  );
}
