// Unpacks the chunk of that name.
async function chunk(name) {
  const text = document.getElementById(`chunk-${name}`).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
