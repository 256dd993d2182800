import type { Component } from 'vue'

type Values = Record<string, unknown>

/** What is looked at of a component; the last two are what Vue itself knows an async component by. */
interface Declared {
  props?: readonly string[] | object
  extends?: Declared
  mixins?: readonly Declared[]
  __asyncLoader?: () => Promise<Declared>
  __asyncResolved?: Declared
}

/**
 * Those of the values that a component declares as props. Others would land on its element as attributes: a mess, and
 * with arguments, which the model writes, a hole (`innerHTML`).
 *
 * @internal
 */
export function pickProps(component: Component, values: Values): Values {
  const picked: Values = {}
  const fill = ({ props = [], extends: base, mixins = [] }: Declared) => {
    for (const one of base ? [base, ...mixins] : mixins) fill(one)
    for (const name of Array.isArray(props) ? props : Object.keys(props)) {
      if (Object.hasOwn(values, name)) picked[name] = values[name]
    }
  }
  const { __asyncLoader: load, __asyncResolved: loaded } = component as Declared
  if (load && !loaded) {
    // What the component will declare is not known yet: all is read, so that a change of any draws again, and the props
    // are filled in just before the component itself comes.
    void { ...values }
    load().then(fill, () => {})
  } else fill(loaded ?? (component as Declared))
  return picked
}
