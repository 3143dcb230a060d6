import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from "@ariakit/react";
import { useRouter } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { operations, type OperationRow } from "../data/calls.ts";
import { setPreferences } from "../data/preferences.ts";
import { signInUrl, signOut } from "../data/session.ts";
import { Icon } from "../parts/shown/icon.tsx";
import { useSession } from "../parts/page/session-context.tsx";
import { places } from "./places.ts";
import { idPrefixes } from "virtual:id-prefixes";

type Entry = { label: string; hint: string; run(): void };

export function Palette({ onClose, openHelp }: { onClose(): void; openHelp(): void }) {
  const [text, setText] = useState("");
  const entries = useEntries(openHelp);
  const tries = useTries();
  const router = useRouter();
  const found = findById(text);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching: readonly Entry[] = [
    ...(found === null
      ? []
      : [{ label: `Open ${text.trim()}`, hint: found.noun, run: () => router.history.push(found.path) }]),
    ...[...entries, ...(words.length === 0 ? [] : tries)].filter(({ label, hint }) =>
      words.every((word) => `${label} ${hint}`.toLowerCase().includes(word)),
    ),
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      className="dialog palette"
      backdrop={<div className="backdrop" />}
      aria-label="Go to or do"
    >
      <ComboboxProvider value={text} setValue={setText} includesBaseElement={false} focusLoop>
        <Combobox
          className="palette-input"
          autoSelect="always"
          placeholder="Go to a screen, do something, or paste an id"
          aria-label="Search"
        />
        <ComboboxList className="palette-list" alwaysVisible>
          {matching.map(({ label, hint, run }) => (
            <ComboboxItem
              key={label}
              className="palette-item"
              focusOnHover
              setValueOnClick={false}
              onClick={() => {
                onClose();
                run();
              }}
            >
              <span>{label}</span>
              <small>{hint}</small>
            </ComboboxItem>
          ))}
        </ComboboxList>
        {matching.length === 0 && (
          <p className="nothing">
            <Icon name="search" /> Nothing matches. A complete id, such as <code>wal_…</code>, leads to its screen.
          </p>
        )}
      </ComboboxProvider>
    </Dialog>
  );
}

function useEntries(openHelp: () => void): readonly Entry[] {
  const router = useRouter();
  const { environment } = useSession();
  return useMemo(() => {
    const go = (path: string) => () => router.history.push(path);
    return [
      ...places
        .filter(({ sandboxOnly }) => !sandboxOnly || environment === "sandbox")
        .map(({ label, path, letter }) => ({ label, hint: `Go to · g ${letter}`, run: go(path) })),
      { label: "Create an API key", hint: "API keys", run: go("/keys?do=create") },
      { label: "Add a webhook", hint: "Webhooks", run: go("/webhooks?do=create") },
      { label: "Create a wallet", hint: "Wallets", run: go("/wallets?do=create") },
      { label: "Make a payment", hint: "Payments", run: go("/payments?do=create") },
      { label: "Add a counterparty", hint: "Counterparties", run: go("/counterparties?do=create") },
      { label: "Rules and addresses of transfers", hint: "Transfers", run: go("/transfers?view=rules") },
      { label: "Invite somebody", hint: "People", run: go("/people?do=create") },
      { label: "Check a signature", hint: "Webhooks", run: go("/webhooks?do=signature") },
      { label: "Failed deliveries", hint: "Deliveries", run: go("/deliveries?status=failed") },
      { label: "Requests that failed", hint: "Logs", run: go("/logs?status=4xx") },
      { label: "Errors by code and operation", hint: "Logs", run: go("/logs?view=groups") },
      { label: "Times in UTC", hint: "Appearance", run: () => setPreferences({ zone: "utc" }) },
      { label: "Times of this place", hint: "Appearance", run: () => setPreferences({ zone: "local" }) },
      { label: "Dark", hint: "Appearance", run: () => setPreferences({ theme: "dark" }) },
      { label: "Light", hint: "Appearance", run: () => setPreferences({ theme: "light" }) },
      { label: "Light and dark as the system", hint: "Appearance", run: () => setPreferences({ theme: "system" }) },
      { label: "Keyboard shortcuts", hint: "Help · ?", run: openHelp },
      { label: "Switch account", hint: "Account", run: () => location.assign(signInUrl({ chooseAccount: true })) },
      { label: "Sign out", hint: "Account", run: () => void signOut() },
    ];
  }, [router, environment, openHelp]);
}

/** A line for each operation, once something is typed: there are more of them than of all else. */
function useTries(): readonly Entry[] {
  const router = useRouter();
  const { environment } = useSession();
  return useMemo(
    () =>
      Object.entries<OperationRow>(operations)
        .filter(([, { sandboxOnly }]) => !sandboxOnly || environment === "sandbox")
        .map(([operationId, { method, path }]) => ({
          label: `Try ${operationId}`,
          hint: `${method.toUpperCase()} ${path}`,
          run: () => router.history.push(`/try/${operationId}`),
        })),
    [router, environment],
  );
}

const screens: Readonly<Record<string, string>> = {
  ApiKey: "/keys",
  Application: "/applications",
  Counterparty: "/counterparties",
  CustodyApproval: "/inbox?queue=approvals",
  CustodyTransfer: "/transfers",
  Delivery: "/deliveries",
  Event: "/events",
  KycVerification: "/inbox?queue=kyc",
  LedgerAccount: "/ledger",
  LedgerTransaction: "/ledger?view=transactions",
  Order: "/orders",
  Payment: "/payments",
  Person: "/people",
  Request: "/logs",
  Wallet: "/wallets",
  Webhook: "/webhooks",
};

export function findById(text: string): { noun: string; path: string } | null {
  const [id, prefix = ""] = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text.trim())?.slice(0, 2) ?? [];
  const noun = idPrefixes[prefix];
  const screen = noun === undefined ? undefined : screens[noun];
  if (id === undefined || noun === undefined || screen === undefined) {
    return null;
  }
  return { noun, path: `${screen}${screen.includes("?") ? "&" : "?"}open=${text.trim()}` };
}
