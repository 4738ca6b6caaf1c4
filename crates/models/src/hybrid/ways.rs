//! Ways between hosts, kept where a message finds them with one look at memory.
//!
//! Programs send to few partners, again and again. What a message needs to know of its way is
//! therefore kept at a place given by its two ends, where the latest way stays. A place is a cache
//! line, which a way through two switches fits in; the rest of longer ones is apart. The places of
//! a host lie together, so that ways of others do not push out those that it takes in turn.

use foretell_kernel::{ResourceId, near};
use foretell_platform::{HostId, NoRoute, Platform, Route};

use crate::network::Setting;

/// All that a message needs to know of the links between two hosts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) latency: f64,
    pub(super) narrowest: f64,
    pub(super) inverse_bandwidths: f64,
    /// Links there, then those of the acknowledgements back.
    pub(super) uses: &'a [(ResourceId, f64)],
}

/// The ways found lately.
#[derive(Debug)]
pub(super) struct Ways {
    places: Vec<Place>,
    /// The links of long ways that their places have no room for; empty until there is one.
    rests: Vec<Rest>,
    route: Route,
    /// The links of the way in hand.
    uses: Vec<(ResourceId, f64)>,
}

/// One way, if any.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Place {
    from: u32,
    to: u32,
    /// The links' version that the way is true for.
    version: u32,
    /// How many links there are, and how many of them lead there.
    count: u16,
    there: u16,
    figures: Figures,
    resources: [u32; ROOM],
}

/// What is beyond the room of a place, in a line of its own.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Rest([u32; REST]);

#[derive(Debug, Clone, Copy)]
struct Figures {
    latency: f64,
    narrowest: f64,
    inverse_bandwidths: f64,
}

/// Links that a place has room for, and those beyond; longer ways are found anew each time.
const ROOM: usize = 6;
const REST: usize = 16;

/// Places for each host, and in all: more would only push other things out of the cache.
const PER_HOST: usize = 16;
const MOST: usize = 1 << 16;

const _: () = assert!(size_of::<Place>() == 64 && size_of::<Rest>() == 64);
const _: () = assert!(PER_HOST.is_power_of_two());

impl Place {
    /// No host has this number.
    const EMPTY: Place = Place {
        from: u32::MAX,
        to: u32::MAX,
        version: 0,
        count: 0,
        there: 0,
        figures: Figures { latency: 0.0, narrowest: 0.0, inverse_bandwidths: 0.0 },
        resources: [0; ROOM],
    };
}

impl Ways {
    pub(super) fn of(platform: &Platform) -> Self {
        let places = (PER_HOST * platform.host_count()).next_power_of_two().min(MOST);
        Self {
            places: vec![Place::EMPTY; places],
            rests: Vec::new(),
            route: Route::default(),
            uses: Vec::new(),
        }
    }

    /// Lets a way come near that a message will take soon.
    #[inline]
    pub(super) fn foresee(&self, from: HostId, to: HostId) {
        let at = self.place(from, to);
        near::fetch(&self.places[at]);
        if let Some(rest) = self.rests.get(at) {
            near::fetch(rest);
        }
    }

    /// Where the way between two hosts is kept.
    #[inline]
    fn place(&self, from: HostId, to: HostId) -> usize {
        let mixed = to.0.wrapping_sub(from.0).wrapping_mul(0x9E37_79B9) >> (32 - PER_HOST.ilog2());
        (from.0 as usize * PER_HOST + mixed as usize) & (self.places.len() - 1)
    }

    /// The way of a message, from memory or found anew.
    pub(super) fn between(
        &mut self,
        from: HostId,
        to: HostId,
        setting: &mut Setting<'_>,
    ) -> Result<Way<'_>, NoRoute> {
        let at = self.place(from, to);
        let version = setting.links.version() as u32;
        let place = &self.places[at];
        let figures = if (place.from, place.to, place.version) == (from.0, to.0, version) {
            let figures = place.figures;
            self.recall(at, setting.platform.network().cross_traffic);
            figures
        } else {
            let (figures, there) = self.find(from, to, setting)?;
            self.keep(
                at,
                Place { from: from.0, to: to.0, version, figures, ..Place::EMPTY },
                there,
            );
            figures
        };
        let Figures { latency, narrowest, inverse_bandwidths } = figures;
        Ok(Way { latency, narrowest, inverse_bandwidths, uses: &self.uses })
    }

    /// Takes the links out of a place.
    fn recall(&mut self, at: usize, backwards: f64) {
        let place = &self.places[at];
        let (count, there) = (usize::from(place.count), usize::from(place.there));
        let rest: &[u32] = if count > ROOM { &self.rests[at].0[..count - ROOM] } else { &[] };
        let resources = place.resources[..count.min(ROOM)].iter().chain(rest);
        self.uses.clear();
        self.uses.extend(resources.enumerate().map(|(nth, resource)| {
            (ResourceId(*resource), if nth < there { 1.0 } else { backwards })
        }));
    }

    /// Puts the way in hand, of which the first links lead there, into a place that it fits in.
    fn keep(&mut self, at: usize, mut place: Place, there: usize) {
        if self.uses.len() > ROOM + REST {
            return;
        }
        (place.count, place.there) = (self.uses.len() as u16, there as u16);
        let (near, rest) = self.uses.split_at(self.uses.len().min(ROOM));
        for (resource, (found, _)) in place.resources.iter_mut().zip(near) {
            *resource = found.0;
        }
        if !rest.is_empty() && self.rests.is_empty() {
            self.rests = vec![Rest([0; REST]); self.places.len()];
        }
        if let Some(kept) = self.rests.get_mut(at) {
            for (resource, (found, _)) in kept.0.iter_mut().zip(rest) {
                *resource = found.0;
            }
        }
        self.places[at] = place;
    }

    /// Asks the platform; tells how many of the links lead there.
    fn find(
        &mut self,
        from: HostId,
        to: HostId,
        setting: &mut Setting<'_>,
    ) -> Result<(Figures, usize), NoRoute> {
        let Self { route, uses, .. } = self;
        let platform = setting.platform;
        platform.route(from, to, route)?;
        let mut figures =
            Figures { latency: route.latency, narrowest: f64::INFINITY, inverse_bandwidths: 0.0 };
        uses.clear();
        for link in &route.links {
            let resource = setting.links.resource(*link, platform, setting.kernel);
            let now = setting.links.figures(*link);
            figures.latency += now.extra_latency;
            // A link that is down stops the flow by its capacity, not by these.
            if now.bandwidth > 0.0 {
                figures.narrowest = figures.narrowest.min(now.bandwidth);
                figures.inverse_bandwidths += 1.0 / now.bandwidth;
            }
            uses.push((resource, 1.0));
        }
        let there = uses.len();
        let backwards = platform.network().cross_traffic;
        if backwards > 0.0 {
            platform.route(to, from, route)?;
            for link in &route.links {
                uses.push((setting.links.resource(*link, platform, setting.kernel), backwards));
            }
        }
        Ok((figures, there))
    }
}

#[cfg(test)]
mod tests {
    use foretell_kernel::Kernel;

    use super::*;
    use crate::links::Links;

    /// A way as it was told, bit by bit.
    #[derive(Debug, PartialEq)]
    struct Told {
        figures: [u64; 3],
        uses: Vec<(u32, u64)>,
    }

    /// Asks for ways one after the other.
    fn ask(platform: &Platform, pairs: &[(u32, u32)]) -> Vec<Told> {
        let (mut kernel, mut links) = (Kernel::new(1e-9), Links::new(platform));
        let mut ways = Ways::of(platform);
        let mut told = Vec::new();
        for (from, to) in pairs {
            let (kernel, links) = (&mut kernel, &mut links);
            let mut setting = Setting { platform, kernel, links, ranks: [0; 2] };
            let way = ways.between(HostId(*from), HostId(*to), &mut setting).unwrap();
            let figures = [way.latency, way.narrowest, way.inverse_bandwidths].map(f64::to_bits);
            let uses = way.uses.iter().map(|(resource, part)| (resource.0, part.to_bits()));
            told.push(Told { figures, uses: uses.collect() });
        }
        told
    }

    #[test]
    fn a_way_that_was_kept_is_the_way_that_was_found() {
        for name in ["star-64", "graphene", "fat-tree-1024", "torus-4096", "dragonfly-1024"] {
            let platform = Platform::named(name).unwrap();
            let hosts = platform.host_count() as u32;
            let once: Vec<_> = (0..hosts).map(|host| (host, (host * 7 + 3) % hosts)).collect();
            let twice: Vec<_> = once.iter().flat_map(|pair| [*pair, *pair]).collect();
            for told in ask(&platform, &twice).chunks(2) {
                assert_eq!(told[0], told[1], "{name}");
            }
        }
    }

    #[test]
    fn a_way_changes_with_its_links() {
        let platform = Platform::named("star-64").unwrap();
        let (mut kernel, mut links) = (Kernel::new(1e-9), Links::new(&platform));
        let mut ways = Ways::of(&platform);
        let mut narrowest = |links: &mut Links, kernel: &mut Kernel| {
            let mut setting = Setting { platform: &platform, kernel, links, ranks: [0; 2] };
            ways.between(HostId(1), HostId(2), &mut setting).unwrap().narrowest
        };
        let before = narrowest(&mut links, &mut kernel);
        let mut route = Route::default();
        platform.route(HostId(1), HostId(2), &mut route).unwrap();
        links.set_bandwidth(route.links[0], before / 4.0, &platform, &mut kernel);
        assert_eq!(narrowest(&mut links, &mut kernel), before / 4.0);
    }
}
