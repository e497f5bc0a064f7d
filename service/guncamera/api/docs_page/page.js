"use strict";

// Addresses are relative to the page: the service may stand below a path of its proxy.
const door = new URL(".", location.href).href;

const isStream = (operation) => "text/event-stream" in (operation.responses[200]?.content ?? {});

// The document as the page shows it; what callers read stays as it is.
function prepared(spec) {
  // The page may call no other origin, whatever address the document names for the public.
  spec.servers = [{ url: door.replace(/[/]$/, "") }];
  Object.values(spec.components.schemas).forEach(nameTexts);
  for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
    if (isStream(operation)) {
      operation.description += "\n\nNot to be tried here, for it has no end: `curl -N` shows it.";
    }
  }
  return spec;
}

// Swagger UI would make texts up from patterns, and nobody could read them.
function nameTexts(node) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.pattern === "string") node.example = "string";
  Object.values(node).forEach(nameTexts);
}

// A drawn board is a picture; Swagger UI alone would show its text.
const withPicture = (Body, { React }) => (props) => {
  const text = React.createElement(Body, props);
  if (props.contentType !== "image/svg+xml") return text;
  const src = `data:image/svg+xml,${encodeURIComponent(props.content)}`;
  const picture = React.createElement("img", { src, alt: "The board", className: "board" });
  return React.createElement("div", null, picture, text);
};

const deletes = (operation) => operation.get("method") === "delete";

function show(spec) {
  SwaggerUIBundle({
    spec,
    dom_id: "#calls",
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    displayOperationId: true,
    // A path has all its methods in one place; nothing can be tried after its session is deleted.
    operationsSorter: (one, other) => deletes(one) - deletes(other),
    persistAuthorization: false, // a key that was entered is forgotten with the page
    tryItOutEnabled: true,
    validatorUrl: null, // it would tell the document to somebody else
    plugins: [
      {
        wrapComponents: { responseBody: withPicture },
        statePlugins: {
          spec: {
            wrapSelectors: {
              allowTryItOutFor: () => (_, path, method) => !isStream(spec.paths[path][method]),
            },
          },
        },
      },
    ],
  });
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

fetch(`${door}openapi.json`)
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(`HTTP ${answer.status}`)))
  .then((spec) => show(prepared(spec)))
  .catch((fault) => {
    const text = `openapi.json cannot be shown (${fault}). Load the page again.`;
    document.getElementById("calls").textContent = text;
  });
