import { useLocation } from "@tanstack/react-router";
import { setPreferences, usePreferences } from "../data/preferences.ts";
import { ScreenLink } from "../parts/page/address.tsx";
import { Icon } from "../parts/shown/icon.tsx";
import { useSession } from "../parts/page/session-context.tsx";
import { places } from "./places.ts";
import { useRef, useState, type ReactNode, useEffect } from "react";
import { whenOnline } from "../data/when-online.ts";
import type { MenuOptions } from "./menus.tsx";

export function TopBar({ openPalette, openHelp }: { openPalette(): void; openHelp(): void }) {
  const { zone } = usePreferences();
  const { account, person, role } = useSession();
  return (
    <header className="top-bar">
      <ScreenLink to="/" className="brand" aria-label="Gateway console">
        <span className="mark" />
      </ScreenLink>
      <MenuPlace
        menu={({ AccountMenu }, options) => <AccountMenu {...options} />}
        button={{
          className: "menu-button account",
          children: (
            <>
              <span className="cut">{account.name || account.id}</span>
              <Icon name="chevronDown" size={14} />
            </>
          ),
        }}
      />
      <EnvironmentBadge />
      <button type="button" className="search-button" onClick={openPalette}>
        <Icon name="search" size={15} />
        <span>Search or go to</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className="button small quiet zone"
        title={zone === "utc" ? "Times are in UTC. Show local time" : "Times are local. Show UTC"}
        onClick={() => setPreferences({ zone: zone === "utc" ? "local" : "utc" })}
      >
        {zone === "utc" ? "UTC" : "Local"}
      </button>
      <MenuPlace
        menu={({ PersonMenu }, options) => <PersonMenu {...options} openHelp={openHelp} />}
        button={{
          className: "menu-button person",
          "aria-label": `${person.name}, ${role}`,
          children: (
            <span className="avatar" aria-hidden="true" data-initials={initialsOf(person.name || person.email)} />
          ),
        }}
      />
    </header>
  );
}

function EnvironmentBadge() {
  const { environment, addresses } = useSession();
  // Without the query, because its ids and filters belong to this environment. A screen that only this environment has
  // leads to the start of the other.
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isHereAlone = places.some(({ path: one, sandboxOnly }) => one === path && sandboxOnly);
  const label = environment === "sandbox" ? "Sandbox" : "Production";
  return addresses.otherEnvironment === null ? (
    <span className={`environment ${environment}`}>{label}</span>
  ) : (
    <a
      className={`environment ${environment}`}
      href={`${addresses.otherEnvironment}${isHereAlone ? "/" : path}`}
      title={`To the ${environment === "sandbox" ? "production" : "sandbox"} console`}
    >
      {label}
    </a>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? "")
    .join("");
}

type Menus = Awaited<ReturnType<typeof load>>;

type Options = Pick<MenuOptions, "button"> & { menu(menus: Menus, options: MenuOptions): ReactNode };

const load = () => import("./menus.tsx");

/** A menu and its button. Until the menu is loaded, when the page is idle or on a press, the button is alone. */
function MenuPlace({ button, menu }: Options) {
  const place = useRef<HTMLButtonElement>(null);
  const [menus, setMenus] = useState<{ menus: Menus; wanted: MenuOptions["wanted"] } | null>(null);
  const come = (wanted: "open" | null): void => {
    void whenOnline(load).then((loaded) => {
      const isFocused = place.current !== null && document.activeElement === place.current;
      setMenus((there) => there ?? { menus: loaded, wanted: wanted ?? (isFocused ? "focused" : null) });
    });
  };
  useWhenIdle(() => come(null));
  return menus === null ? (
    <button
      {...button}
      ref={place}
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => come("open")}
    />
  ) : (
    menu(menus.menus, { button, wanted: menus.wanted })
  );
}

const idleMs = 1_000;

/** Runs `work` once, a moment after the page has appeared: for work that can wait until then. */
export function useWhenIdle(work: () => void): void {
  useEffect(() => {
    const idle = setTimeout(work, idleMs);
    return () => clearTimeout(idle);
  }, []);
}
