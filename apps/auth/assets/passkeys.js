/**
 * Passkeys beside forms that work without this script. A form stands in an element that says what its passkey is asked
 * (`data-options`) and what it is for (`data-passkey`); the answer goes to the server in the form's field `credential`.
 */
(() => {
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
    globalThis.SimpleWebAuthnBrowser;

  const sentences = {
    NotAllowedError: "The passkey was not used: it was cancelled, or took too long. Try once more.",
    InvalidStateError: "This device has a passkey for you already.",
    SecurityError: "Passkeys cannot be used at this address.",
  };

  const say = (place, error) => {
    const text = sentences[error.name] ?? "The passkey did not work. Try once more.";
    const summary = place.querySelector("[role=alert][hidden], [role=alert][data-script]");
    if (summary) {
      summary.dataset.script = "";
      summary.textContent = text;
      summary.hidden = false;
      summary.tabIndex = -1;
      summary.focus();
    }
  };

  const send = (form, credential) => {
    form.elements.namedItem("credential").value = JSON.stringify(credential);
    form.submit();
  };

  /** Browsers offer passkeys in the field of the e-mail address, if they can. */
  const offerInField = async (form, optionsJSON) => {
    if (await browserSupportsWebAuthnAutofill()) {
      send(form, await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
    }
  };

  const set = (place) => {
    const form = place.querySelector("form");
    const optionsJSON = JSON.parse(place.dataset.options);
    const start = place.dataset.passkey === "add" ? startRegistration : startAuthentication;
    place.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      // A passkey that was made cannot be taken back from the device: what is wrong with its name is said before.
      if (!form.checkValidity()) {
        form.submit();
        return;
      }
      try {
        send(form, await start({ optionsJSON }));
      } catch (error) {
        say(place, error);
      }
    });
    if (place.dataset.passkey === "sign-in") {
      // Whoever signs in another way ends it, and nobody is told.
      offerInField(form, optionsJSON).catch(() => {});
    }
  };

  if (browserSupportsWebAuthn()) {
    document.querySelectorAll("[data-passkey][data-options]").forEach(set);
  } else {
    document.querySelectorAll("[data-passkey=missing]").forEach((place) => (place.hidden = false));
  }
})();
