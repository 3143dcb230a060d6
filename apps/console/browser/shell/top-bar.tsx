import { Menu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from "@ariakit/react";
import { Link, useLocation } from "@tanstack/react-router";
import { setPreferences, usePreferences } from "../data/preferences.ts";
import { signInUrl, signOut } from "../data/session.ts";
import { Icon } from "../parts/icon.tsx";
import { useSession } from "../parts/session-context.tsx";
import { useToast } from "../parts/toasts.tsx";
import { places } from "./places.ts";

export function TopBar({ openPalette, openHelp }: { openPalette(): void; openHelp(): void }) {
  const { zone } = usePreferences();
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="Gateway console">
        <span className="mark" />
      </Link>
      <AccountMenu />
      <EnvironmentBadge />
      <button type="button" className="search-button" onClick={openPalette}>
        <Icon name="search" size={15} />
        <span>Search or go to</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className="button small quiet zone"
        title={
          zone === "utc" ? "Times are in UTC. Change to those of this place" : "Times are of this place. Change to UTC"
        }
        onClick={() => setPreferences({ zone: zone === "utc" ? "local" : "utc" })}
      >
        {zone === "utc" ? "UTC" : "Local"}
      </button>
      <PersonMenu openHelp={openHelp} />
    </header>
  );
}

/** Another account, or another role in it, is another sign-in: the identity provider asks which one. */
function AccountMenu() {
  const { account, accounts } = useSession();
  return (
    <MenuProvider>
      <MenuButton className="menu-button account">
        <span className="cut">{account.name || account.id}</span>
        <Icon name="chevronDown" size={14} />
      </MenuButton>
      <Menu className="menu" gutter={6} portal>
        {accounts.map(({ id, name, role, isSuspended }) => (
          <MenuItem
            key={id}
            className="menu-item"
            disabled={isSuspended}
            onClick={() => id !== account.id && location.assign(signInUrl({ chooseAccount: true }))}
          >
            <span>
              {name || id}
              <small>{isSuspended ? "suspended" : role}</small>
            </span>
            {id === account.id && <Icon name="check" size={14} />}
          </MenuItem>
        ))}
        <MenuSeparator className="menu-separator" />
        <MenuItem className="menu-item" render={<Link to="/people" />}>
          People and roles
        </MenuItem>
        <MenuItem className="menu-item" render={<Link to="/settings" />}>
          Settings
        </MenuItem>
      </Menu>
    </MenuProvider>
  );
}

function EnvironmentBadge() {
  const { environment, addresses } = useSession();
  // Without the query: ids and filters are of this side. What this side alone has leads to the start of the other.
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

function PersonMenu({ openHelp }: { openHelp(): void }) {
  const { person, role, addresses } = useSession();
  const { theme } = usePreferences();
  const toast = useToast();
  const leave = (): void => {
    signOut().catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)));
  };
  return (
    <MenuProvider>
      <MenuButton className="menu-button person" aria-label={`${person.name}, ${role}`}>
        <span className="avatar" aria-hidden="true" data-initials={initialsOf(person.name || person.email)} />
      </MenuButton>
      <Menu className="menu" gutter={6} portal>
        <div className="menu-head">
          <strong className="cut">{person.name}</strong>
          <small className="cut">{person.email}</small>
          <small>{role}</small>
        </div>
        <MenuSeparator className="menu-separator" />
        {(["system", "light", "dark"] as const).map((one) => (
          <MenuItem key={one} className="menu-item" hideOnClick={false} onClick={() => setPreferences({ theme: one })}>
            {{ system: "As the system", light: "Light", dark: "Dark" }[one]}
            {one === theme && <Icon name="check" size={14} />}
          </MenuItem>
        ))}
        <MenuSeparator className="menu-separator" />
        <MenuItem className="menu-item" onClick={openHelp}>
          Keyboard <kbd>?</kbd>
        </MenuItem>
        {addresses.docs !== null && (
          <MenuItem className="menu-item" render={<a href={addresses.docs} target="_blank" rel="noreferrer" />}>
            Documentation <Icon name="external" size={14} />
          </MenuItem>
        )}
        <MenuItem
          className="menu-item"
          render={<a href={`${addresses.identity}/account`} target="_blank" rel="noreferrer" />}
        >
          Devices and passkeys <Icon name="external" size={14} />
        </MenuItem>
        <MenuSeparator className="menu-separator" />
        <MenuItem className="menu-item" onClick={leave}>
          Sign out
        </MenuItem>
      </Menu>
    </MenuProvider>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? "")
    .join("");
}
