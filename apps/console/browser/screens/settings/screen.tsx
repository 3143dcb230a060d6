import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { act, Actions, type Act } from "../../parts/dialog/actions.tsx";
import { addressOf, requiredText } from "../../parts/fields/field-input.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Badge, CopyableId, Time, Facts } from "../../parts/shown/values.tsx";
import { Loaded, FailedPart } from "../../parts/shown/states.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";

type Account = DataOf<"getAccount">;

export function SettingsScreen() {
  const call = { operationId: "getAccount" } as const;
  const account = useCall(call);
  const known = account.data?.data;
  return (
    <div className="plain-screen">
      <ScreenHeader title="Settings" actions={known && <Actions of={actsOf(known)} />} />
      <Loaded of={account}>
        {({ data }) => (
          <>
            <AccountFacts account={data} />
            <You />
            <AsCode call={call} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function actsOf({ name, email }: Account): readonly Act[] {
  return [
    act("updateAccount", {
      ...{ do: "rename", label: "Rename" },
      ...{ title: "Rename the account", submit: "Rename", done: "The account is renamed." },
      fields: [
        {
          ...{ name: "name", label: "Name", kind: "text" },
          hint: "People read it where they choose one of their accounts.",
        },
      ],
      initial: { name },
      bodyOf: ({ name: next }) => ({ name: requiredText(next, "Give the account a name.") }),
    }),
    act("updateAccount", {
      ...{ do: "email", label: "Change address" },
      ...{ title: "Change the address", submit: "Mail the link", done: "The link is sent." },
      fields: [{ name: "email", label: "E-mail address", kind: "text", hint: "We write there about the account." }],
      bodyOf: ({ email: next }) => ({ email: addressOf(next, "Write the new e-mail address.") }),
      text: (
        <>
          The new address takes effect when the link that we mail there is opened. Until then it stays{" "}
          <bdi>{email}</bdi>. All owners are notified.
        </>
      ),
    }),
  ];
}

function AccountFacts({ account }: { account: Account }) {
  const { id, name, email, pendingEmail, tier, rateLimit, livemode, createdAt } = account;
  return (
    <Facts
      rows={[
        ["Name", <bdi key="name">{name}</bdi>],
        ["Id", <CopyableId key="id" id={id} />],
        ["Address", <bdi key="email">{email}</bdi>],
        pendingEmail && [
          "Unconfirmed address",
          <span key="pending">
            <bdi>{pendingEmail}</bdi>{" "}
            <span className="faint">We mailed a link to it, which is valid for 24 hours.</span>
          </span>,
        ],
        ["Tier", <Badge key="tier" state={tier} />],
        ["Rate limit", `${rateLimit.requestsPerMinute} requests a minute`],
        ["Peak of 30 days", <Peak key="peak" />],
        ["Environment", livemode ? "production" : "sandbox"],
        ["Created", <Time key="created" at={createdAt} />],
      ]}
    />
  );
}

function You() {
  const { addresses } = useSession();
  return (
    <section className="block">
      <h2>You</h2>
      <p>
        Name, password, passkeys and devices belong to you, not to the account: change them{" "}
        <a href={`${addresses.identity}/account`} target="_blank" rel="noreferrer">
          at the identity provider
        </a>
        .
      </p>
    </section>
  );
}

const dayMs = 86_400_000;

function Peak() {
  // To the day, so that it stays one call.
  const today = Math.floor(Date.now() / dayMs);
  const since = new Date((today - 30) * dayMs).toISOString();
  const usage = useCall({ operationId: "getUsage", query: { interval: "day", since } });
  if (usage.data === undefined) {
    return usage.isError ? <FailedPart of={usage} /> : <span className="faint">…</span>;
  }
  return <span>{usage.data.data.peakPerMinute} requests in a minute</span>;
}
