//! Dragonflies: groups of chassis of routers, all-to-all at every level, minimal routing.
//!
//! Kim et al. 2008; the three levels of cables carry the colours of the Cray XC: green within a
//! chassis, black between the chassis of a group, blue between groups.

use super::{Hop, last_number, product};

/// The numbers that make a dragonfly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DragonflySpec {
    /// Groups.
    pub groups: u32,
    /// Cables bundled into each blue link between two groups.
    pub blue: u32,
    /// Chassis per group.
    pub chassis: u32,
    /// Cables bundled into each black link between two chassis.
    pub black: u32,
    /// Routers per chassis.
    pub routers: u32,
    /// Cables bundled into each green link between two routers of a chassis.
    pub green: u32,
    /// Nodes per router.
    pub nodes: u32,
    /// Which cables a message crosses inside a group.
    pub routing: DragonflyRouting,
}

/// Two readings of "minimal".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DragonflyRouting {
    /// Green to the right column, then black to the right chassis: a connected path.
    #[default]
    Minimal,
    /// What SimGrid 3.32 does: after a green hop it takes itself to be in chassis 0, so a route
    /// between chassis may lack its black hop, and one within a chassis may have one too many.
    AsSimGrid,
}

/// A dragonfly.
///
/// Nodes are numbered by group, chassis, router, node. Cables: local ones by router and node, then
/// green by chassis and pair of routers, black by group, pair of chassis and column, blue by pair
/// of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dragonfly {
    spec: DragonflySpec,
    nodes: u32,
    switches: u32,
    first_green: u32,
    first_black: u32,
    first_blue: u32,
    cables: u32,
}

/// Why a dragonfly cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadDragonfly {
    ZeroEntry,
    TooLarge,
    /// SimGrid's numbering wants a router of its own per group in the first chassis.
    TooManyGroups,
}

/// Where a router is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    group: u32,
    chassis: u32,
    blade: u32,
}

impl Dragonfly {
    /// Checks the numbers and counts nodes, routers and cables.
    pub(crate) fn new(spec: &DragonflySpec) -> Result<Self, BadDragonfly> {
        let DragonflySpec { groups, blue, chassis, black, routers, green, nodes, .. } = *spec;
        if [groups, blue, chassis, black, routers, green, nodes].contains(&0) {
            return Err(BadDragonfly::ZeroEntry);
        }
        if spec.routing == DragonflyRouting::AsSimGrid && groups > 1 && groups > routers {
            return Err(BadDragonfly::TooManyGroups);
        }
        Self::count(spec).ok_or(BadDragonfly::TooLarge)
    }

    fn count(spec: &DragonflySpec) -> Option<Self> {
        let all_chassis = product([spec.groups, spec.chassis])?;
        let switches = product([all_chassis, spec.routers])?;
        let nodes = product([switches, spec.nodes])?;
        let green = product([all_chassis, pairs(spec.routers)?])?;
        let black = product([spec.groups, pairs(spec.chassis)?, spec.routers])?;
        let first_black = nodes.checked_add(green)?;
        let first_blue = first_black.checked_add(black)?;
        let cables = first_blue.checked_add(pairs(spec.groups)?)?;
        nodes.checked_add(switches)?;
        let spec = spec.clone();
        Some(Self { spec, nodes, switches, first_green: nodes, first_black, first_blue, cables })
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    pub(crate) fn switches(&self) -> u32 {
        self.switches
    }

    pub(crate) fn cables(&self) -> u32 {
        self.cables
    }

    /// How many group-mates a node has, itself included.
    pub(crate) fn group_size(&self) -> u32 {
        self.nodes / self.spec.groups
    }

    /// How many ends of a cable are at routers, those of all cables bundled in it together: the
    /// first cables end at a node.
    pub(crate) fn ends_at_switches(&self, cable: u32) -> u32 {
        if cable < self.first_green { 1 } else { 2 * self.width(cable) }
    }

    /// How many parallel cables share one link.
    pub(crate) fn width(&self, cable: u32) -> u32 {
        match cable {
            c if c < self.first_green => 1,
            c if c < self.first_black => self.spec.green,
            c if c < self.first_blue => self.spec.black,
            _ => self.spec.blue,
        }
    }

    /// To the router that serves the other group, over, and to the router of the destination.
    pub(crate) fn route(&self, from: u32, to: u32, mut visit: impl FnMut(Hop)) {
        let (start, end) = (self.place(from / self.spec.nodes), self.place(to / self.spec.nodes));
        let mut here = start;
        visit(Hop::Limiter(from));
        visit(Hop::Up(from));
        if start.group != end.group {
            let exit = self.towards(start.group, end.group);
            if here.blade != exit.blade {
                visit(Hop::Limiter(self.limiter(here)));
                visit(self.green(here, exit.blade));
                here.blade = exit.blade;
            }
            if here.chassis != exit.chassis {
                visit(Hop::Limiter(self.limiter(here)));
                visit(self.black(here, exit.chassis));
                here.chassis = exit.chassis;
            }
            visit(self.blue(start.group, end.group));
            visit(Hop::Limiter(self.limiter(here)));
            here = self.towards(end.group, start.group);
        }
        if start != end {
            self.within_group(here, end, &mut visit);
        }
        visit(Hop::Limiter(self.limiter(end)));
        visit(Hop::Down(to));
        visit(Hop::Limiter(to));
    }

    fn within_group(&self, mut here: Place, end: Place, visit: &mut impl FnMut(Hop)) {
        if here.blade != end.blade {
            visit(Hop::Limiter(self.limiter(here)));
            visit(self.green(here, end.blade));
            here.blade = end.blade;
            if self.spec.routing == DragonflyRouting::AsSimGrid {
                here.chassis = 0;
            }
        }
        if here.chassis != end.chassis {
            visit(Hop::Limiter(self.limiter(here)));
            visit(self.black(here, end.chassis));
        }
    }

    /// The router of `group` that holds the blue cable to `other`.
    fn towards(&self, group: u32, other: u32) -> Place {
        let router = other % (self.spec.routers * self.spec.chassis);
        Place { group, chassis: router / self.spec.routers, blade: router % self.spec.routers }
    }

    fn place(&self, router: u32) -> Place {
        let chassis = router / self.spec.routers;
        Place {
            group: chassis / self.spec.chassis,
            chassis: chassis % self.spec.chassis,
            blade: router % self.spec.routers,
        }
    }

    fn router(&self, place: Place) -> u32 {
        (place.group * self.spec.chassis + place.chassis) * self.spec.routers + place.blade
    }

    fn limiter(&self, place: Place) -> u32 {
        self.nodes + self.router(place)
    }

    fn green(&self, here: Place, blade: u32) -> Hop {
        let chassis = here.group * self.spec.chassis + here.chassis;
        let first = self.first_green + chassis * half_square(self.spec.routers);
        across(here.blade, blade, |low, high| first + pair(low, high, self.spec.routers))
    }

    fn black(&self, here: Place, chassis: u32) -> Hop {
        let first =
            self.first_black + here.group * half_square(self.spec.chassis) * self.spec.routers;
        across(here.chassis, chassis, |low, high| {
            first + pair(low, high, self.spec.chassis) * self.spec.routers + here.blade
        })
    }

    fn blue(&self, from: u32, to: u32) -> Hop {
        across(from, to, |low, high| self.first_blue + pair(low, high, self.spec.groups))
    }

    /// SimGrid's name of a cable; `before` cables of other dragonflies were declared earlier.
    pub(crate) fn cable_name(&self, cable: u32, before: u64) -> String {
        let id = u64::from(cable) + before;
        let spec = &self.spec;
        if cable < self.first_green {
            let (router, node) = (cable / spec.nodes, cable % spec.nodes);
            return format!("local_link_from_router_{router}_to_node_{node}_{id}");
        }
        if cable < self.first_black {
            let index = cable - self.first_green;
            let chassis = index / half_square(spec.routers) % spec.chassis;
            let (a, b) = unpair(index % half_square(spec.routers), spec.routers);
            return format!("green_link_in_chassis_{chassis}_between_routers_{a}_and_{b}_{id}");
        }
        if cable < self.first_blue {
            let (index, blade) = {
                let index = cable - self.first_black;
                (index / spec.routers, index % spec.routers)
            };
            let group = index / half_square(spec.chassis);
            let (a, b) = unpair(index % half_square(spec.chassis), spec.chassis);
            return format!(
                "black_link_in_group_{group}_between_chassis_{a}_and_{b}_blade_{blade}_{id}"
            );
        }
        let (a, b) = unpair(cable - self.first_blue, spec.groups);
        let (ra, rb) = (self.router(self.towards(a, b)), self.router(self.towards(b, a)));
        format!("blue_link_between_group_{a}_and_{b}_routers_{ra}_and_{rb}_{id}")
    }

    /// The cable of this name, without `_UP` or `_DOWN`.
    pub(crate) fn find_cable(&self, name: &str, before: u64) -> Option<u32> {
        let cable = u64::from(last_number(name)?).checked_sub(before)?;
        let cable = u32::try_from(cable).ok().filter(|c| *c < self.cables)?;
        (self.cable_name(cable, before) == name).then_some(cable)
    }
}

/// Unordered pairs of `n` things.
fn pairs(n: u32) -> Option<u32> {
    u32::try_from(u64::from(n) * u64::from(n - 1) / 2).ok()
}

/// The same where it was checked to fit.
fn half_square(n: u32) -> u32 {
    (u64::from(n) * u64::from(n - 1) / 2) as u32
}

/// The number of the pair `low < high` of `n` things, in dictionary order.
fn pair(low: u32, high: u32, n: u32) -> u32 {
    let before = u64::from(low) * (2 * u64::from(n) - u64::from(low) - 1) / 2;
    before as u32 + (high - low - 1)
}

/// The pair of this number.
fn unpair(mut index: u32, n: u32) -> (u32, u32) {
    let mut low = 0;
    while index >= n - 1 - low {
        index -= n - 1 - low;
        low += 1;
    }
    (low, low + 1 + index)
}

/// A cable between two places, forward from the lower.
fn across(from: u32, to: u32, cable: impl Fn(u32, u32) -> u32) -> Hop {
    if from < to { Hop::Up(cable(from, to)) } else { Hop::Down(cable(to, from)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dragonfly(numbers: [u32; 7], routing: DragonflyRouting) -> Dragonfly {
        let [groups, blue, chassis, black, routers, green, nodes] = numbers;
        let spec = DragonflySpec { groups, blue, chassis, black, routers, green, nodes, routing };
        Dragonfly::new(&spec).unwrap()
    }

    fn colours(fly: &Dragonfly, from: u32, to: u32) -> String {
        let mut colours = String::new();
        fly.route(from, to, |hop| {
            if let Hop::Up(cable) | Hop::Down(cable) = hop {
                colours.push_str(fly.cable_name(cable, 0).split('_').next().unwrap());
                colours.push(' ');
            }
        });
        colours.trim_end().to_owned()
    }

    #[test]
    fn simgrid_forgets_the_chassis_after_a_green_hop() {
        let numbers = [4, 2, 2, 2, 4, 1, 2];
        let (ours, theirs) = (
            dragonfly(numbers, DragonflyRouting::Minimal),
            dragonfly(numbers, DragonflyRouting::AsSimGrid),
        );
        // Chassis 1, router 0 to chassis 0, router 1 of one group.
        assert_eq!(colours(&ours, 8, 2), "local green black local");
        assert_eq!(colours(&theirs, 8, 2), "local green local");
        // Two routers of chassis 1.
        assert_eq!(colours(&ours, 8, 10), "local green local");
        assert_eq!(colours(&theirs, 8, 10), "local green black local");
    }

    #[test]
    fn bundles_multiply_bandwidth_by_colour() {
        let fly = dragonfly([3, 5, 2, 6, 3, 7, 2], DragonflyRouting::Minimal);
        let width = |name: &str| {
            let found = |cable: &u32| fly.cable_name(*cable, 0).starts_with(name);
            (0..fly.cables()).find(found).map(|cable| fly.width(cable))
        };
        assert_eq!(width("local"), Some(1));
        assert_eq!(width("green"), Some(7));
        assert_eq!(width("black"), Some(6));
        assert_eq!(width("blue"), Some(5));
    }

    #[test]
    fn impossible_dragonflies_are_refused() {
        let refused = |numbers: [u32; 7], routing| {
            let [groups, blue, chassis, black, routers, green, nodes] = numbers;
            let spec =
                DragonflySpec { groups, blue, chassis, black, routers, green, nodes, routing };
            Dragonfly::new(&spec).unwrap_err()
        };
        let minimal = DragonflyRouting::Minimal;
        assert_eq!(refused([2, 1, 1, 1, 2, 0, 1], minimal), BadDragonfly::ZeroEntry);
        assert_eq!(refused([1 << 20, 1, 1 << 20, 1, 1, 1, 1], minimal), BadDragonfly::TooLarge);
        let theirs = DragonflyRouting::AsSimGrid;
        assert_eq!(refused([5, 1, 2, 1, 4, 1, 1], theirs), BadDragonfly::TooManyGroups);
    }

    fn flies() -> impl Strategy<Value = Dragonfly> {
        (1u32..6, 1u32..4, 1u32..5, 1u32..3).prop_map(|(groups, chassis, routers, nodes)| {
            dragonfly([groups, 1, chassis, 1, routers, 1, nodes], DragonflyRouting::Minimal)
        })
    }

    /// Both ends of a cable, nodes first and routers after them, forward direction.
    fn ends(fly: &Dragonfly, cable: u32) -> (u32, u32) {
        let numbers: Vec<u32> =
            fly.cable_name(cable, 0).split('_').filter_map(|word| word.parse().ok()).collect();
        let router = |group, chassis, blade| fly.limiter(Place { group, chassis, blade });
        let spec = &fly.spec;
        if cable < fly.first_green {
            (cable, fly.nodes + numbers[0])
        } else if cable < fly.first_black {
            let chassis = (cable - fly.first_green) / half_square(spec.routers);
            let (group, chassis) = (chassis / spec.chassis, chassis % spec.chassis);
            (router(group, chassis, numbers[1]), router(group, chassis, numbers[2]))
        } else if cable < fly.first_blue {
            (router(numbers[0], numbers[1], numbers[3]), router(numbers[0], numbers[2], numbers[3]))
        } else {
            (fly.nodes + numbers[2], fly.nodes + numbers[3])
        }
    }

    proptest! {
        #[test]
        fn minimal_routes_are_connected_and_of_one_length_both_ways(
            fly in flies(), a in any::<u32>(), b in any::<u32>()
        ) {
            let (a, b) = (a % fly.nodes(), b % fly.nodes());
            let mut here = a;
            let mut length = 0;
            fly.route(a, b, |hop| {
                let (start, end) = match hop {
                    Hop::Up(cable) => ends(&fly, cable),
                    Hop::Down(cable) => { let (s, e) = ends(&fly, cable); (e, s) }
                    Hop::Limiter(_) => return,
                };
                assert_eq!(start, here);
                here = end;
                length += 1;
            });
            prop_assert_eq!(here, b);
            fly.route(b, a, |hop| length -= i32::from(!matches!(hop, Hop::Limiter(_))));
            prop_assert_eq!(length, 0);
        }

        #[test]
        fn cables_are_found_by_name(fly in flies(), cable in any::<u32>(), before in 0u64..9) {
            let cable = cable % fly.cables();
            prop_assert_eq!(fly.find_cable(&fly.cable_name(cable, before), before), Some(cable));
        }

        #[test]
        fn pairs_have_numbers_and_numbers_pairs(n in 2u32..40, index in any::<u32>()) {
            let index = index % half_square(n);
            let (low, high) = unpair(index, n);
            prop_assert!(low < high && high < n);
            prop_assert_eq!(pair(low, high, n), index);
        }
    }
}
