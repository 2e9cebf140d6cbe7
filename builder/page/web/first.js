// The files that a first question needs (builder/page/first.py): a browser fetches them beside the
// rest of the page, so that they are there when it has started. It may not fetch from a folder,
// where the page loads them as scripts once it runs.

function preload() {
  if (location.protocol === "file:") return;
  const { collections } = JSON.parse(document.getElementById("disc")?.textContent ?? "");
  for (const { folder, shards, first } of collections) {
    for (const number of first ?? []) {
      const link = document.createElement("link");
      const href = `${folder}/${shards[number][0]}`;
      Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href });
      document.head.append(link);
    }
  }
}

preload();
