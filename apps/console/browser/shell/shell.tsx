import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useState } from "react";
import { usePreferences } from "../data/preferences.ts";
import { whenOnline } from "../data/when-online.ts";
import { holdPlace, sessionQuery, type SessionInfo, signInUrl } from "../data/session.ts";
import { useKeyDown } from "../parts/page/keyboard.ts";
import { PlaceLink } from "../parts/page/address.tsx";
import { Icon } from "../parts/shown/icon.tsx";
import { SessionProvider } from "../parts/page/session-context.tsx";
import { Failure, LoadingRows } from "../parts/shown/states.tsx";
import { Toasts } from "../parts/shown/toasts.tsx";
import { loadDialog } from "../parts/dialog/modal.tsx";
import { useTopic } from "../parts/call/use-call.ts";
import { firstPlaces, places } from "./places.ts";
import { useShellKeys } from "./shell-keys.ts";
import { TopBar, useWhenIdle } from "./top-bar.tsx";
import { useWaitingCount } from "./use-waiting-count.ts";
import { lazyPart } from "../parts/page/lazy-part.tsx";

const loadPalette = () => import("./palette.tsx");
const Palette = lazyPart(loadPalette, "Palette");
const Help = lazyPart(() => import("./help.tsx"), "Help");

export function Shell() {
  const session = useQuery(sessionQuery);
  const isKept = useOnePlace(session.data);
  if (session.data === undefined || !isKept) {
    return session.isError ? (
      <main className="alone">
        <Failure error={session.error} retry={() => void session.refetch()} />
      </main>
    ) : (
      <main className="alone">
        <LoadingRows count={3} />
      </main>
    );
  }
  if (session.data === null) {
    return <SignedOut />;
  }
  return (
    // Another account gets another page, so that no part of the first one stays.
    <SessionProvider value={session.data} key={session.data.account.id}>
      <Toasts>
        <Frame />
      </Toasts>
    </SessionProvider>
  );
}

/**
 * Keeps a page for one person in one account: earlier responses leave the cache. False while the page is being left.
 */
function useOnePlace(session: SessionInfo | null | undefined): boolean {
  const queries = useQueryClient();
  const [first, setFirst] = useState<string | null>(null);
  const now = session?.person.id ?? null;
  const isOther = first !== null && now !== null && now !== first;
  useEffect(() => {
    if (session === null) {
      queries.removeQueries({ queryKey: ["api"] });
    } else if (isOther) {
      queries.clear();
      location.assign("/");
    } else if (now !== null) {
      setFirst(now);
      return holdPlace(now);
    }
    return undefined;
  }, [queries, session === null, isOther, now]);
  return !isOther;
}

function Frame() {
  const [overlay, setOverlay] = useState<"palette" | "help" | "menu" | null>(null);
  const { keys } = usePreferences();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const openPalette = useCallback(() => setOverlay("palette"), []);
  const openHelp = useCallback(() => setOverlay("help"), []);
  const close = useCallback(() => setOverlay(null), []);
  useShellKeys({ openPalette, openHelp });
  useTopic("events");
  useEffect(() => {
    document.documentElement.dataset["keys"] = keys ? "on" : "off";
  }, [keys]);
  const waiting = useWaitingCount();
  // Loads both in advance, so that a user who presses Ctrl K can type at once, and a dialog opens at once.
  useWhenIdle(() => void Promise.all([whenOnline(loadDialog), whenOnline(loadPalette)]));
  useEffect(() => setOverlay((open) => (open === "menu" ? null : open)), [path]);
  // The menu is not a dialog, so it does not handle Escape itself.
  useKeyDown(
    (event) => {
      if (event.key === "Escape") {
        // The menu is above an item that is open in a list, which the next Escape closes.
        event.stopPropagation();
        close();
        document.querySelector<HTMLElement>(".bottom-bar button")?.focus();
      }
    },
    { isWanted: overlay === "menu", capture: true },
  );
  return (
    <div className="shell">
      <a className="skip" href="#content">
        To the content
      </a>
      <TopBar openPalette={openPalette} openHelp={openHelp} />
      <Navigation isOpen={overlay === "menu"} onLeave={close} waiting={waiting} />
      <main id="content" tabIndex={-1}>
        <Suspense fallback={<LoadingRows />}>
          <Outlet />
        </Suspense>
      </main>
      <BottomBar
        isOpen={overlay === "menu"}
        waiting={waiting}
        toggle={() => setOverlay(overlay === "menu" ? null : "menu")}
      />
      {overlay === "palette" && <Palette onClose={close} openHelp={openHelp} />}
      {overlay === "help" && <Help onClose={close} />}
    </div>
  );
}

type NavigationOptions = { isOpen: boolean; waiting: string };

function labelOf(label: string, waiting: string): string {
  return label === "Inbox" ? label + waiting : label;
}

const groups = [...new Set(places.map(({ group }) => group))];

function Navigation({ isOpen, onLeave, waiting }: NavigationOptions & { onLeave(): void }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <nav className="navigation" aria-label="Screens" data-open={isOpen}>
      {groups.map((group) => (
        <div key={group} className="navigation-group">
          {group && <h2>{group}</h2>}
          <ul>
            {places
              .filter((place) => place.group === group && (!place.sandboxOnly || session?.environment === "sandbox"))
              .map(({ path, label, icon }) => (
                <li key={path}>
                  <PlaceLink to={path} onClick={onLeave}>
                    <Icon name={icon} /> {labelOf(label, waiting)}
                  </PlaceLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The bar at the bottom of a phone, in reach of the thumbs. */
function BottomBar({ isOpen, toggle, waiting }: NavigationOptions & { toggle(): void }) {
  return (
    <nav className="bottom-bar" aria-label="First screens">
      {firstPlaces
        .flatMap((first) => places.filter(({ path }) => path === first))
        .map(({ path, label, icon }) => (
          <PlaceLink key={path} to={path}>
            <Icon name={icon} size={20} /> {labelOf(label, waiting)}
          </PlaceLink>
        ))}
      <button type="button" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="more" size={20} /> More
      </button>
    </nav>
  );
}

function SignedOut() {
  return (
    <main className="alone signed-out">
      <Icon name="key" size={28} />
      <h1>Sign in to the console</h1>
      <p>You come back to this address afterwards.</p>
      <a className="button primary" href={signInUrl()}>
        Sign in
      </a>
    </main>
  );
}
